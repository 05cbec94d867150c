/**
 * A quote with the data to verify it: the words, their speaker, position and time, and the version of the transcript.
 */
export interface Receipt {
  /** Id of the memory, encoded by `encodeURIComponent`. */
  memory_id: string;
  /** Digest of the version that was quoted, as {@link transcriptDigest} returns it. */
  transcript_digest: string;
  /** Indexes of the first and the last segment in the stored order, from 0. */
  segments: [number, number];
  /** Start and end of the quote in the text of these segments, in UTF-16 units. The end is excluded. */
  chars: [number, number];
  /** Visible label of the speaker. */
  speaker: string;
  /** Smallest start of the segments, in milliseconds from the start of the recording. */
  start_ms: number;
  /** Largest end of the segments, in milliseconds from the start of the recording. */
  end_ms: number;
  /** Words that were said. */
  quote: string;
  /** Time at which the memory was read, as an ISO 8601 date-time. It is not verified. */
  read_at: string;
}
