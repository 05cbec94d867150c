import { mediaFields } from './media-fields.ts';
import { type AddressableMemory, isAddressable, type MemoryValue } from './memory-value.ts';

/** Memories of a list that the run requests one by one. */
export interface Sample {
  processed: AddressableMemory[];
  processing: AddressableMemory[];
}

const maxProcessed = 6;

/** Chooses few memories for as many checks as possible: each kind of media, the newest, the oldest, unusual ids. */
export function chooseSample(memories: readonly MemoryValue[]): Sample {
  const readable = memories.filter(isAddressable);
  const processed = readable.filter((memory) => memory.is_processing === false);
  const wishes = [
    ...[...mediaFields, 'summary'].map((field) =>
      processed.find((memory) => memory[field] !== null && memory[field] !== undefined),
    ),
    processed[0],
    processed.at(-1),
    processed.find(({ id }) => encodeURIComponent(id) !== id),
  ];
  return {
    processed: [...new Set(wishes.filter((memory) => memory !== undefined))].slice(0, maxProcessed),
    processing: readable.filter((memory) => memory.is_processing === true).slice(0, 1),
  };
}
