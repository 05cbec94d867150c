import type { MemoryStore, StoredMemory } from '../../ports/memory-store.ts';
import { listInPages, type MemoryPage, type PageStart } from '../sql/list-in-pages.ts';
import type { PostgresDatabase, Row } from './postgres-database.ts';
import { toSqlText } from './postgres-text.ts';
import { statements } from './statements.ts';

export function createPostgresMemoryReader(database: PostgresDatabase): MemoryStore {
  return {
    listMemories: (query) => listInPages(query, (start) => readPage(database, query.userId, start)),
    async getMemory({ userId, memoryId, signal }) {
      signal?.throwIfAborted();
      const [row] = await database.query(statements.getMemory, [toSqlText(memoryId), toSqlText(userId)]);
      return row && { ...toListedMemory(row), transcriptJson: row.transcript_json as string | null };
    },
  };
}

async function readPage(database: PostgresDatabase, userId: string, start: PageStart): Promise<MemoryPage> {
  const rows = await database.query(statements.readPage, [toSqlText(userId), start.started_at, start.id]);
  // An empty page still has the row of its account.
  const memories = rows.filter(({ id }) => id !== null).map(toListedMemory);
  return { memories, moveCount: rows[0]?.move_count };
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
