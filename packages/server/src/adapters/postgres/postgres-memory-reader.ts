import type { MemoryStore } from '../../ports/memory-store.ts';
import { listInPages, type MemoryPage, type PageStart } from '../sql/list-in-pages.ts';
import { toListedMemory } from '../sql/record-json.ts';
import type { PostgresDatabase } from './postgres-database.ts';
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
  const memories = rows.filter(({ record_json }) => record_json !== null).map(toListedMemory);
  return { memories, moveCount: rows[0]?.move_count };
}
