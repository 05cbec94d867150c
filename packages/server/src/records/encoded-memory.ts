import type { MemoryStore, StoredMemory } from '../ports/memory-store.ts';

/** A stored memory whose transcript is the UTF-8 of its JSON text, to be sent without decoding it. Nobody may change the bytes. */
export interface EncodedMemory extends StoredMemory {
  transcriptJson?: undefined;
  transcriptUtf8: Uint8Array;
}

type Read<Memory> = (...query: Parameters<MemoryStore['getMemory']>) => Promise<Memory | undefined>;

/**
 * The `getMemory` of a store of ours that can also return a memory encoded.
 *
 * `encoded` is a property of the method, not of the store: a caller may put a store around ours whose `getMemory` changes
 * what ours returns, and the API must not bypass it.
 */
export type EncodingGetMemory = Read<StoredMemory> & {
  readonly encoded?: Read<StoredMemory | EncodedMemory> | undefined;
};

/** The JSON text of the transcript, or its UTF-8. */
export function transcriptOf(row: StoredMemory | EncodedMemory): string | Uint8Array | null | undefined {
  return 'transcriptUtf8' in row ? row.transcriptUtf8 : row.transcriptJson;
}

/** The memory as the port of stores has it. */
export function toDecodedMemory(row: StoredMemory | EncodedMemory): StoredMemory {
  if (!('transcriptUtf8' in row)) return row;
  const { transcriptUtf8, ...memory } = row;
  return { ...memory, transcriptJson: decoder.decode(transcriptUtf8) };
}

const decoder = new TextDecoder();
