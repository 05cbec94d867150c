import type { Segment } from '@memory-read/contract';

/** What the functions of this entry take: a `Memory`, or anything stored that kept these two fields. */
export interface TranscriptSource {
  /** When the recording started, ISO 8601; cue times count from here. */
  started_at: string;
  /** Null where nothing was transcribed; that is a transcript without segments. */
  transcript: { segments: readonly Segment[] } | null;
}
