import type { StoredMemory } from '../../ports/memory-store.ts';
import { memoriesMovedError } from '../../records/memory-store-error.ts';

/** Most memories that a page holds. */
export const pageSize = 200;

/** The memory behind which a page begins, by the order of a list. */
export type PageStart = Pick<StoredMemory, 'started_at' | 'id'>;

/** What one statement reads at one instant. */
export interface MemoryPage {
  readonly memories: readonly StoredMemory[];
  /** How often memories of the account have moved within its order; there also when the page is empty. */
  readonly moveCount: unknown;
}

// ':' sorts after every digit, so this is newer than every memory.
const newest: PageStart = { started_at: ':', id: '' };

/** Reads the memories behind `start`, as many as `size` where there are so many. */
export type ReadPage = (start: PageStart, size: number) => MemoryPage | Promise<MemoryPage>;

/**
 * Lists page by page, each continuing behind the last memory of the one before. A memory that moves within the order
 * meanwhile could be missed or come twice, so the list is broken off.
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
