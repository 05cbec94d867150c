/**
 * Kind of a problem in a transcript. A minor version can add kinds.
 *
 * - `beginning-unreadable`: `started_at` is invalid. Times are relative to the earliest start of a segment.
 * - `segment-incomplete`: the segment is not an object or lacks a text. A missing text becomes an empty text.
 * - `start-unreadable`: `start_at` is invalid. The cue starts with the cue stored before it.
 * - `end-unreadable`: `end_at` is invalid. The cue lasts 1 ms.
 * - `start-before-beginning`: the segment starts before `started_at`. The cue starts at 0.
 * - `length-not-positive`: the segment lasts less than 1 ms. The cue lasts 1 ms.
 * - `order-changed`: the segment starts before one that is stored before it. The cues are sorted.
 * - `overlap`: the cue starts before an earlier cue ends. Its times stay as they are.
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

/** A problem that `normalizeTranscript` corrected or found. */
export interface TranscriptWarning {
  /** Kind of the problem. */
  kind: TranscriptWarningKind;
  /** Index in `transcript.segments`; null if the problem is in `started_at`. */
  segment: number | null;
}
