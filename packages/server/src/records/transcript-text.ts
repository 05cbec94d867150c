import type { StoredMemory } from '../ports/memory-store.ts';

/** The JSON text of a transcript, or its UTF-8, which nobody may change. */
export type TranscriptText = string | Uint8Array;

interface EncodedTranscript {
  utf8: Uint8Array;
  decode: () => string;
}

const encodedTranscripts = new WeakMap<object, EncodedTranscript>();
const decoder = new TextDecoder();

/** The row with a transcript that is sent as it is, and decoded only where somebody reads it from the row. */
export function withEncodedTranscript(row: StoredMemory, utf8: Uint8Array): StoredMemory {
  const decode = () => decoder.decode(utf8);
  const replace = (value: unknown) => Object.defineProperty(row, 'transcriptJson', { value, writable: true });
  Object.defineProperty(row, 'transcriptJson', { get: decode, set: replace, enumerable: true, configurable: true });
  encodedTranscripts.set(row, { utf8, decode });
  return row;
}

/** What a row says of its transcript. One that was changed since, or is a copy, says what it holds now. */
export function transcriptTextOf(row: StoredMemory): TranscriptText | null | undefined {
  const encoded = encodedTranscripts.get(row);
  const isAsMade = encoded && Object.getOwnPropertyDescriptor(row, 'transcriptJson')?.get === encoded.decode;
  return isAsMade ? encoded.utf8 : row.transcriptJson;
}
