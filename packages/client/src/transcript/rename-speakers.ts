import { passFacts } from '../response-info.ts';
import { namesByLabel, type SpeakerNames } from './speaker-names.ts';
import type { TranscriptSource } from './transcript-source.ts';

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
  const byLabel = namesByLabel(names);
  const segments = memory.transcript.segments.map(
    (segment) => segment && { ...segment, speaker: byLabel.get(segment.speaker) ?? segment.speaker },
  );
  return passFacts(memory, { ...memory, transcript: { ...memory.transcript, segments } });
}
