import { memoryJson } from '../http/memory-json.ts';
import { decodeMemoryId } from '../http/request-path.ts';
import type { HandlerContext, HandlerResult } from './handler.ts';

/** Handles `getMemory`. See section 4.2 of the specification. */
export async function getMemory(context: HandlerContext): Promise<HandlerResult> {
  const { store, userId, mediaUrls, signal } = context;
  const memoryId = decodeMemoryId(context.segment);
  if (memoryId === undefined) return { problem: 'malformed-memory-id' };

  const row = await store.getMemory({ userId, memoryId, signal });
  // A store in plain JavaScript may return null.
  if (row == null) return { problem: 'memory-not-found' };
  const [start, transcript, end] = await memoryJson(row, { userId, memoryId }, mediaUrls);
  return { body: transcript instanceof Uint8Array ? [start, transcript, end] : `${start}${transcript}${end}` };
}
