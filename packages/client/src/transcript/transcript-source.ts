import type { Segment } from '@memory-read/contract';

/** Input of the functions of this entry: a `Memory`, or a stored object with these two fields. */
export interface TranscriptSource {
  /** Start of the recording, as an ISO 8601 date-time. Cue times are relative to it. */
  started_at: string;
  /** Transcript; null counts as a transcript without segments. */
  transcript: { segments: readonly Segment[] } | null;
}
