import type { TranscriptSource } from './transcript-source.ts';

/** Names by label: a record or a map. */
export type SpeakerNames = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/**
 * A copy of the memory whose speakers have names; the memory itself stays as it is.
 *
 * Labels are compared as stored, and those without a name stay. Two labels may get one name: their turns then merge.
 *
 * @example
 * ```ts
 * const named = renameSpeakers(memory, { 'Speaker 1': 'Ada', 'Speaker 2': 'Grace' });
 * console.log(toText(named, { timestamps: true }));
 * ```
 */
export function renameSpeakers<T extends TranscriptSource>(memory: T, names: SpeakerNames): T {
  if (!Array.isArray(memory.transcript?.segments)) return { ...memory };
  const nameOf = lookUp(names);
  const segments = memory.transcript.segments.map(
    (segment) => segment && { ...segment, speaker: nameOf(segment.speaker) },
  );
  return { ...memory, transcript: { ...memory.transcript, segments } };
}

/** A label such as `constructor` must not find what every object has. */
function lookUp(names: SpeakerNames): (label: string) => string {
  const map = isMap(names) ? names : new Map(Object.entries(names));
  return (label) => map.get(label) ?? label;
}

/** A map of another realm is no instance of this one's `Map`. */
function isMap(names: SpeakerNames): names is ReadonlyMap<string, string> {
  return typeof names.get === 'function';
}
