import { listedMemoryJson } from '../http/memory-json.ts';
import type { StoredMemory } from '../ports/memory-store.ts';
import type { HandlerContext, HandlerResult } from './handler.ts';
import { requestedRow } from './requested-row.ts';

/** Minimum length of a chunk, in characters, except for the last one. */
const CHUNK_LENGTH = 16_384;

/**
 * Handles `listMemories`. See section 4.1 of the specification.
 *
 * The first chunk is read before the response begins, so that a failing store leads to a 500. Later failures break off
 * the body: a part must never look like the whole list.
 */
export async function listMemories(context: HandlerContext): Promise<HandlerResult> {
  const { store, userId, signal } = context;
  const rows = store.listMemories({ userId, signal })[Symbol.asyncIterator]();
  if (!context.wantsBody) return withoutBody(rows, context);
  const first = await nextChunk(rows, context, '[').catch(async (error: unknown) => {
    await endQuietly(rows);
    throw error;
  });
  return { body: first.done ? first.text : streamOf(first.text, rows, context) };
}

/** Reads one memory, which shows whether the store can be read. */
async function withoutBody(rows: AsyncIterator<StoredMemory>, { userId }: HandlerContext): Promise<HandlerResult> {
  const { value, done } = await rows.next();
  await rows.return?.();
  if (!done) requestedRow(value, { userId });
  return { body: null };
}

interface Chunk {
  text: string;
  done: boolean;
}

/** Returns the JSON of the next memories, with a comma before each but the first of the list. */
async function nextChunk(rows: AsyncIterator<StoredMemory>, context: HandlerContext, start: string): Promise<Chunk> {
  const { userId, mediaUrls } = context;
  let text = start;
  let separator = start === '[' ? '' : ',';
  while (text.length < CHUNK_LENGTH) {
    const { value, done } = await rows.next();
    if (done) return { text: `${text}]`, done: true };
    const json = listedMemoryJson(requestedRow(value, { userId }), mediaUrls);
    text += separator + (typeof json === 'string' ? json : await json);
    separator = ',';
  }
  return { text, done: false };
}

function streamOf(
  first: string,
  rows: AsyncIterator<StoredMemory>,
  context: HandlerContext,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let hasLeft = false;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      try {
        const { text, done } = await nextChunk(rows, context, '');
        if (hasLeft) return;
        controller.enqueue(encoder.encode(text));
        if (done) controller.close();
      } catch (error) {
        context.reportError(error);
        await endQuietly(rows);
        controller.error(error);
      }
    },
    async cancel() {
      hasLeft = true;
      await rows.return?.();
    },
  });
}

/** Ends the rows after a failure, which is the one to report, even if their end fails as well. */
async function endQuietly(rows: AsyncIterator<StoredMemory>): Promise<void> {
  try {
    await rows.return?.();
  } catch {}
}
