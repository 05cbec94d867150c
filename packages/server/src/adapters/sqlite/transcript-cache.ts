/** A transcript as it was read in a state of the database. */
interface CachedTranscript {
  state: string;
  utf8: Uint8Array;
}

/** The transcripts that were read last, up to so many bytes. Whoever gets one has to ask whether its state still is. */
export interface TranscriptCache {
  get(memoryId: string): CachedTranscript | undefined;
  put(memoryId: string, transcript: CachedTranscript): void;
}

export function createTranscriptCache(maximumBytes: number): TranscriptCache {
  // In the order in which they were put.
  const transcripts = new Map<string, CachedTranscript>();
  let bytes = 0;

  function drop(memoryId: string): void {
    bytes -= transcripts.get(memoryId)?.utf8.byteLength ?? 0;
    transcripts.delete(memoryId);
  }

  return {
    get: (memoryId) => transcripts.get(memoryId),
    put(memoryId, transcript) {
      drop(memoryId);
      transcripts.set(memoryId, transcript);
      bytes += transcript.utf8.byteLength;
      for (const oldest of transcripts.keys()) {
        if (bytes <= maximumBytes) return;
        drop(oldest);
      }
    },
  };
}
