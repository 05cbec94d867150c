import type { MemoryStore, StoredMemory } from '../../ports/memory-store.ts';
import { memoriesMovedError } from '../../records/memory-store-error.ts';
import type { PostgresDatabase, Row } from './postgres-database.ts';
import { toSqlText } from './postgres-text.ts';
import { pageSize, statements } from './statements.ts';

// ':' sorts after every digit, so this is newer than every memory.
const newest = { started_at: ':', id: '' };

/**
 * Lists page by page, each continuing behind the last memory of the one before. A memory that moves within the order
 * meanwhile could be missed or come twice, so the list is broken off.
 */
export function createPostgresMemoryReader(database: PostgresDatabase): MemoryStore {
  return {
    async *listMemories({ userId, signal }) {
      let last = newest;
      let firstCount: string | undefined;
      for (;;) {
        signal?.throwIfAborted();
        const { page, moveCount } = await readPage(database, userId, last);
        firstCount ??= moveCount;
        if (moveCount !== firstCount) throw memoriesMovedError(userId);
        for (const memory of page) {
          signal?.throwIfAborted();
          yield memory;
        }
        const lastOfPage = page.at(-1);
        if (!lastOfPage || page.length < pageSize) return;
        last = lastOfPage;
      }
    },
    async getMemory({ userId, memoryId, signal }) {
      signal?.throwIfAborted();
      const [row] = await database.query(statements.getMemory, [toSqlText(memoryId), toSqlText(userId)]);
      return row && { ...toListedMemory(row), transcriptJson: row.transcript_json as string | null };
    },
  };
}

/** A page with the count of moves at the instant at which it was read. */
async function readPage(
  database: PostgresDatabase,
  userId: string,
  last: { started_at: string; id: string },
): Promise<{ page: StoredMemory[]; moveCount: string }> {
  const rows = await database.query(statements.readPage, [toSqlText(userId), last.started_at, last.id]);
  // An empty page still has the row of its account.
  const page = rows.filter(({ id }) => id !== null).map(toListedMemory);
  return { page, moveCount: String(rows[0]?.move_count) };
}

/** Drivers give 64-bit integers as text, so that no digit is lost; those that are stored here are safe. */
function toListedMemory(row: Row): StoredMemory {
  return {
    id: row.id as string,
    user_id: row.user_id as string,
    name: row.name as string,
    started_at: row.started_at as string,
    ended_at: row.ended_at as string,
    is_processing: row.is_processing as boolean,
    duration_seconds: Number(row.duration_seconds),
    media: JSON.parse(row.media_json as string),
    summaryJson: row.summary_json as string | null,
  };
}
