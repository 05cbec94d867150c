import type { MemoryStore, StoredMemory } from '../../ports/memory-store.ts';
import { memoriesMovedError } from '../../records/memory-store-error.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { toSqlText } from './sqlite-text.ts';

const pageSize = 200;
const listColumns =
  'id, user_id, name, started_at, ended_at, is_processing, duration_seconds, media_json, summary_json';

/** Parameters: the user id, then start and id of the last memory already read. */
export const pageSql = `
  SELECT ${listColumns} FROM memories WHERE user_id = ? AND (started_at, id) < (?, ?)
  ORDER BY started_at DESC, id DESC LIMIT ${pageSize}`;

// ':' sorts after every digit, so this is newer than every memory.
const newest = { started_at: ':', id: '' };

/**
 * Lists page by page, each continuing behind the last memory of the one before. A memory that moves within the order
 * meanwhile could be missed or come twice, so the list is broken off.
 */
export function createSqliteMemoryReader(database: SqliteDatabase): MemoryStore {
  return {
    async *listMemories({ userId, signal }) {
      signal?.throwIfAborted();
      const moveCount = readMoveCount(database, userId);
      let last = newest;
      for (;;) {
        signal?.throwIfAborted();
        const page = readPage(database, userId, last);
        // Behind the page: what has not moved by now had not moved when the page was read.
        if (readMoveCount(database, userId) !== moveCount) throw memoriesMovedError(userId);
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
      const row = database.get(
        `SELECT ${listColumns}, transcript_json FROM memories WHERE id = ? AND user_id = ?`,
        toSqlText(memoryId),
        toSqlText(userId),
      );
      return row && { ...toListedMemory(row), transcriptJson: row.transcript_json as string | null };
    },
  };
}

function readPage(database: SqliteDatabase, userId: string, last: { started_at: string; id: string }): StoredMemory[] {
  return database.all(pageSql, toSqlText(userId), last.started_at, last.id).map(toListedMemory);
}

function readMoveCount(database: SqliteDatabase, userId: string): number {
  const row = database.get('SELECT move_count FROM accounts WHERE user_id = ?', toSqlText(userId));
  return row ? (row.move_count as number) : 0;
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
