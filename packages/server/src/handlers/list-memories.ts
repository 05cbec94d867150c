import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { memoryJson } from '../http/memory-json.ts';
import { type Chunks, startBody } from '../http/start-body.ts';
import type { HandlerContext, HandlerResult } from './handler.ts';

/** Minimum length of a chunk, in characters, except for the last one. */
const CHUNK_LENGTH = 16_384;

/** Handles `listMemories`. See section 4.1 of the specification. */
export async function listMemories(context: HandlerContext): Promise<HandlerResult> {
  // For HEAD, one memory shows whether the store can be read.
  const chunks = listChunks(context, context.wantsBody ? CHUNK_LENGTH : 1);
  const body = await startBody(chunks, context);
  return { body: body instanceof Uint8Array ? [body] : body };
}

/** Returns the JSON of the list in chunks of this length or more. */
function listChunks({ store, userId, signal, mediaUrls }: HandlerContext, length: number): Chunks {
  const memories = store.listMemories({ userId, signal });
  if (typeof memories?.[Symbol.asyncIterator] !== 'function') {
    throw new TypeError(
      'Failed to read memories: listMemories returned no async iterable. Make it an async generator (async *listMemories).',
    );
  }
  const rows = memories[Symbol.asyncIterator]();
  let start = '[';
  let hasEnded = false;
  return {
    async next() {
      // A synchronous store would otherwise keep the process busy until the list ends.
      await yieldToEventLoop();
      let text = '';
      while (text.length < length) {
        const { value, done } = await rows.next();
        if (hasEnded) return { done: true };
        if (done) return { value: `${text}${start === '[' ? '[' : ''}]`, done: true };
        const json = memoryJson(value, { userId }, mediaUrls);
        const [head, , tail] = json instanceof Promise ? await json : json;
        text += `${start}${head}null${tail}`;
        start = ',';
      }
      return { value: text };
    },
    async return() {
      hasEnded = true;
      await rows.return?.();
    },
  };
}
