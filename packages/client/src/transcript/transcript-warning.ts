/**
 * What is wrong with the times of a transcript. New kinds may come in a minor version.
 *
 * - `beginning-unreadable`: `started_at` is no date-time; times count from the earliest start of a segment
 * - `segment-incomplete`: the segment is no object, or lacks a text; what is absent is read as an empty text
 * - `start-unreadable`: `start_at` is no date-time; the cue starts together with the one stored before it
 * - `end-unreadable`: `end_at` is no date-time; the cue lasts 1 ms
 * - `start-before-beginning`: the segment starts before `started_at`; the cue starts at 0
 * - `length-not-positive`: the segment ends at its start or before it, in whole milliseconds; the cue lasts 1 ms
 * - `order-changed`: the segment starts before one that is stored before it; the cues are sorted
 * - `overlap`: the cue starts while an earlier one lasts; left as it is
 */
export type TranscriptWarningKind =
  | 'beginning-unreadable'
  | 'segment-incomplete'
  | 'start-unreadable'
  | 'end-unreadable'
  | 'start-before-beginning'
  | 'length-not-positive'
  | 'order-changed'
  | 'overlap';

/** One thing that `normalizeTranscript` met and dealt with. */
export interface TranscriptWarning {
  /** What it is: the text to switch on. */
  kind: TranscriptWarningKind;
  /** Index in `transcript.segments`; null where it concerns `started_at`. */
  segment: number | null;
}
