import type { MemoryStore } from '../../ports/memory-store.ts';
import { listInPages, type MemoryPage, type PageStart } from '../sql/list-in-pages.ts';
import { toListedMemory } from '../sql/record-json.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { toSqlText } from './postgres-text.ts';
import type { ReadOptions } from './replicas/route-reads.ts';
import { statements } from './statements.ts';

export function createPostgresMemoryReader(database: PostgresDatabase): MemoryStore {
  return {
    listMemories(query) {
      const options: ReadOptions = { signal: query.signal, series: {} };
      return listInPages(query, (start) => readPage(database, query.userId, start, options));
    },
    async getMemory({ userId, memoryId, signal }) {
      signal?.throwIfAborted();
      const [row] = await database.read(statements.getMemory, [toSqlText(memoryId), toSqlText(userId)], { signal });
      return row && { ...toListedMemory(row), transcriptJson: row.transcript_json as string | null };
    },
  };
}

async function readPage(
  database: PostgresDatabase,
  userId: string,
  start: PageStart,
  options: ReadOptions,
): Promise<MemoryPage> {
  const rows = await database.read(statements.readPage, [toSqlText(userId), start.started_at, start.id], options);
  // An empty page still has the row of its account.
  const memories = rows.filter(({ record_json }) => record_json !== null).map(toListedMemory);
  return { memories, moveCount: rows[0]?.move_count };
}
