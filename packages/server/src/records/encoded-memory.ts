import type { MemoryStore, StoredMemory } from '../ports/memory-store.ts';

/** A stored memory whose transcript is the UTF-8 of its JSON text. The bytes are shared, so do not change them. */
export interface EncodedMemory extends StoredMemory {
  transcriptJson?: undefined;
  transcriptUtf8: Uint8Array;
}

type Read<Memory> = (...query: Parameters<MemoryStore['getMemory']>) => Promise<Memory | undefined>;

/**
 * A `getMemory` that can also return a memory encoded.
 *
 * `encoded` is a property of the method, not of the store. If a caller wraps the store, the wrapper has no `encoded`,
 * so the API cannot bypass it.
 */
export type EncodingGetMemory = Read<StoredMemory> & {
  readonly encoded?: Read<StoredMemory | EncodedMemory> | undefined;
};

/** Returns the JSON text of the transcript, or its UTF-8. */
export function transcriptOf(row: StoredMemory | EncodedMemory): string | Uint8Array | null | undefined {
  return 'transcriptUtf8' in row ? row.transcriptUtf8 : row.transcriptJson;
}

/** Returns the memory as {@link MemoryStore} defines it. */
export function toDecodedMemory(row: StoredMemory | EncodedMemory): StoredMemory {
  if (!('transcriptUtf8' in row)) return row;
  const { transcriptUtf8, ...memory } = row;
  return { ...memory, transcriptJson: decoder.decode(transcriptUtf8) };
}

const decoder = new TextDecoder();
