import { memoryIdInPath } from '../http/memory-id-in-path.ts';
import { memoryJson } from '../http/memory-json.ts';
import type { StoredMemory } from '../ports/memory-store.ts';
import type { EncodedMemory, EncodingGetMemory } from '../records/encoded-memory.ts';
import type { HandlerContext, HandlerResult } from './handler.ts';
import { requestedRow } from './requested-row.ts';

/** Handles `getMemory`. See section 4.2 of the specification. */
export async function getMemory(context: HandlerContext): Promise<HandlerResult> {
  const { userId, mediaUrls } = context;
  const memoryId = memoryIdInPath(context.rawPath);
  if (memoryId === undefined) return { problem: 'malformed-memory-id' };

  const row = await read(context, memoryId);
  // A store in plain JavaScript may return null.
  if (row == null) return { problem: 'memory-not-found' };
  const body = await memoryJson(requestedRow(row, { userId, memoryId }), mediaUrls);
  return { body: context.wantsBody ? body : null };
}

function read(
  { store, userId, signal }: HandlerContext,
  memoryId: string,
): Promise<StoredMemory | EncodedMemory | undefined> {
  const getMemory: EncodingGetMemory = store.getMemory;
  const query = { userId, memoryId, signal };
  return getMemory.encoded === undefined ? store.getMemory(query) : getMemory.encoded(query);
}
