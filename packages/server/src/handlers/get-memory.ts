import { memoryIdInPath } from '../http/memory-id-in-path.ts';
import { memoryJson } from '../http/memory-json.ts';
import type { HandlerContext, HandlerResult } from './handler.ts';
import { requestedRow } from './requested-row.ts';

/** Section 4.2 of the specification. */
export async function getMemory(context: HandlerContext): Promise<HandlerResult> {
  const { store, userId, signal, mediaUrls } = context;
  const memoryId = memoryIdInPath(context.rawPath);
  if (memoryId === undefined) return { problem: 'malformed-memory-id' };

  const row = await store.getMemory({ userId, memoryId, signal });
  // A store in plain JavaScript may say null.
  if (row == null) return { problem: 'memory-not-found' };
  const body = await memoryJson(requestedRow(row, { userId, memoryId }), mediaUrls);
  return { body: context.wantsBody ? body : null };
}
