import type { StoredMemory } from '../../ports/memory-store.ts';
import { memoriesMovedError } from '../../records/memory-store-error.ts';

/** Maximum number of memories in a page. */
export const pageSize = 200;

/** The last memory before a page, by the order of a list. */
export type PageStart = Pick<StoredMemory, 'started_at' | 'id'>;

/** What one statement reads from one snapshot. */
export interface MemoryPage {
  readonly memories: readonly StoredMemory[];
  /** Number of moves of memories of the account within its order. An empty page has it too. */
  readonly moveCount: unknown;
}

// ':' sorts after every digit, so this is newer than every memory.
const newest: PageStart = { started_at: ':', id: '' };

/** Reads up to `size` memories after `start`. */
export type ReadPage = (start: PageStart, size: number) => MemoryPage | Promise<MemoryPage>;

/**
 * Lists page by page. Each page continues after the last memory of the page before.
 *
 * A memory that moves within the order could be missed or repeated, so the list then fails.
 */
export async function* listInPages(
  { userId, signal }: { readonly userId: string; readonly signal?: AbortSignal | undefined },
  readPage: ReadPage,
  firstSize = pageSize,
): AsyncGenerator<StoredMemory, void, void> {
  let start = newest;
  let size = firstSize;
  let first: MemoryPage | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const page = await readPage(start, size);
    first ??= page;
    if (page.moveCount !== first.moveCount) throw memoriesMovedError(userId);
    for (const memory of page.memories) {
      signal?.throwIfAborted();
      yield memory;
    }
    const last = page.memories.at(-1);
    if (!last || page.memories.length < size) return;
    start = last;
    size = pageSize;
  }
}
