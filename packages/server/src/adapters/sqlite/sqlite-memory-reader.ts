import type { MemoryStore, StoredMemory } from '../../ports/memory-store.ts';
import { listInPages, type MemoryPage, type PageStart, pageSize } from '../sql/list-in-pages.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { toSqlText } from './sqlite-text.ts';

const listColumns =
  'id, memories.user_id, memories.name, started_at, ended_at, is_processing, duration_seconds, media_json, summary_json';

/**
 * Parameters: start and id of the last memory already read, then the user id.
 *
 * One statement, so that the count of moves is that of the instant of the page, and there also when the page is empty.
 */
export const pageSql = `
  SELECT move_count, ${listColumns}
  FROM accounts LEFT JOIN memories ON memories.user_id = accounts.user_id AND (started_at, id) < (?, ?)
  WHERE accounts.user_id = ? ORDER BY started_at DESC, id DESC LIMIT ${pageSize}`;

export function createSqliteMemoryReader(database: SqliteDatabase): MemoryStore {
  return {
    listMemories: (query) => listInPages(query, (start) => readPage(database, query.userId, start)),
    async getMemory({ userId, memoryId, signal }) {
      signal?.throwIfAborted();
      const row = database.get(
        `SELECT ${listColumns}, transcript_json FROM memories WHERE id = ? AND user_id = ?`,
        toSqlText(memoryId),
        toSqlText(userId),
      );
      return row && { ...toListedMemory(row), transcriptJson: row.transcript_json as string | null };
    },
  };
}

function readPage(database: SqliteDatabase, userId: string, start: PageStart): MemoryPage {
  const rows = database.all(pageSql, start.started_at, start.id, toSqlText(userId));
  const memories = rows.filter(({ id }) => id !== null).map(toListedMemory);
  return { memories, moveCount: rows[0]?.move_count };
}

function toListedMemory(row: Row): StoredMemory {
  return {
    id: row.id as string,
    user_id: row.user_id as string,
    name: row.name as string,
    started_at: row.started_at as string,
    ended_at: row.ended_at as string,
    is_processing: row.is_processing === 1,
    duration_seconds: row.duration_seconds as number,
    media: JSON.parse(row.media_json as string),
    summaryJson: row.summary_json as string | null,
  };
}
