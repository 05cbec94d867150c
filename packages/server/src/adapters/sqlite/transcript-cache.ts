/** A transcript, and the database state in which it was read. */
interface CachedTranscript {
  state: string;
  utf8: Uint8Array<ArrayBuffer>;
}

/** A cache of the transcripts that were read last. The caller checks whether the state is still current. */
export interface TranscriptCache {
  get(memoryId: string): CachedTranscript | undefined;
  put(memoryId: string, transcript: CachedTranscript): void;
}

export function createTranscriptCache(maximumBytes: number): TranscriptCache {
  // A Map iterates in the order of insertion, so the first entry is the oldest.
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
