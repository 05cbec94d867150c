import { passFacts } from '../response-info.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** Names by speaker label, as a record or a map. */
export type SpeakerNames = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/**
 * Returns a copy of the memory in which speakers have names. The memory itself does not change.
 *
 * Labels are compared as stored. A label without a name stays. If two labels get the same name, their turns merge.
 * `responseInfo` of the copy is that of the memory. See section 2.3 of the specification.
 *
 * @example
 * ```ts
 * const named = renameSpeakers(memory, { 'Speaker 1': 'Ada', 'Speaker 2': 'Grace' });
 * console.log(toText(named, { timestamps: true }));
 * ```
 */
export function renameSpeakers<T extends TranscriptSource>(memory: T, names: SpeakerNames): T {
  if (!Array.isArray(memory.transcript?.segments)) return passFacts(memory, { ...memory });
  const nameOf = lookUp(names);
  const segments = memory.transcript.segments.map(
    (segment) => segment && { ...segment, speaker: nameOf(segment.speaker) },
  );
  return passFacts(memory, { ...memory, transcript: { ...memory.transcript, segments } });
}

/** A plain object would find inherited properties for labels such as `constructor`. */
function lookUp(names: SpeakerNames): (label: string) => string {
  const map = isMap(names) ? names : new Map(Object.entries(names));
  return (label) => map.get(label) ?? label;
}

/** A map of another realm is not an instance of this realm's `Map`. */
function isMap(names: SpeakerNames): names is ReadonlyMap<string, string> {
  return typeof names.get === 'function';
}
