import { isMemoryApiError } from '@memory-read/client';
import { decodeId } from '../output/shown-id.ts';
import { ToolError } from '../output/tool-error.ts';
import type { MemorySource, ReadMemory } from '../sources/memory-source.ts';

/** Advice about an id that no memory has. */
export const unknownMemory =
  'Failed to read the memory: no memory has this id. Take an id from search or list_memories.';

/** Reads the memory of a shown id. An unknown id is an error with advice for the model. */
export async function readMemory(source: MemorySource, shownId: string, signal: AbortSignal): Promise<ReadMemory> {
  const read = await findMemory(source, decodeId(shownId), signal);
  if (read !== undefined) return read;
  throw new ToolError(unknownMemory);
}

/** Returns undefined also for an id that the client or the service rejects. */
export async function findMemory(
  source: MemorySource,
  id: string,
  signal: AbortSignal,
): Promise<ReadMemory | undefined> {
  try {
    return await source.getMemory(id, { signal });
  } catch (error) {
    if (isMemoryApiError(error) && ['not_found', 'configuration', 'invalid_request'].includes(error.code)) {
      return undefined;
    }
    throw error;
  }
}
