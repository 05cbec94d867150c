import type { ListedMemory, MemoryClient } from '@memory-read/client';
import { plainText, shownId } from '../output/plain-text.ts';
import { takePage } from '../output/take-page.ts';

export interface ListInput {
  query?: string | undefined;
  cursor?: string | undefined;
}

/** Returns a page of memories. The cursor is the id of the last one, so that new memories do not shift the pages. */
export async function listMemories(client: MemoryClient, { query, cursor }: ListInput, signal: AbortSignal) {
  const memories = await client.listMemories({ signal });
  const rest = memories.slice(startAfter(memories, cursor)).filter(createFilter(query ?? ''));
  const page = takePage(rest.map(describe));
  return {
    memories: page,
    ...(page.length < rest.length && { next_cursor: page.at(-1)?.id, more: rest.length - page.length }),
  };
}

function startAfter(memories: readonly ListedMemory[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const index = memories.findIndex(({ id }) => shownId(id) === cursor);
  if (index === -1)
    throw new Error('Failed to list memories: the cursor is no longer valid. Call list_memories without a cursor.');
  return index + 1;
}

function createFilter(query: string): (memory: ListedMemory) => boolean {
  const words = query.toLowerCase().split(/\s+/);
  return ({ name, summary }) => {
    const text = [name, summary?.quick_summary, ...(summary?.key_takeaways ?? [])].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Omits media URLs: they work without a key, and the output of a model can end up anywhere. */
function describe({ id, name, started_at, duration_seconds, is_processing, summary }: ListedMemory) {
  return {
    id: shownId(id),
    name: plainText(name, 200),
    started_at: plainText(started_at, 40),
    duration_seconds,
    ...(is_processing && { is_processing }),
    ...(summary && { summary: plainText(summary.quick_summary, 300) }),
  };
}
