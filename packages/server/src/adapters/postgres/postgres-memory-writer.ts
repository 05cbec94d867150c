import type { MemoryRecord } from '@memory-read/contract';
import type { StoredMemory } from '../../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { compareUtf8 } from '../../records/compare-memories.ts';
import { idTakenError } from '../../records/memory-store-error.ts';
import { toProcessedFields } from '../../records/to-processed-fields.ts';
import { toStoredMemory } from '../../records/to-stored-memory.ts';
import { toRecordJson } from '../sql/record-json.ts';
import { assertAccountExists } from './postgres-accounts.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import type { Query } from './postgres-query.ts';
import { toSqlText } from './postgres-text.ts';
import { putMemories, statements } from './statements.ts';

// Limits of one statement: its parameters, of which PostgreSQL accepts 65,535, and its memory.
const maximumRows = 100;
const maximumCharacters = 1_000_000;

export function createPostgresMemoryWriter(
  database: PostgresDatabase,
): Pick<MemoryStoreAdmin, 'putMemories' | 'finishProcessing' | 'deleteMemory'> {
  return {
    putMemories: (userId, records) => database.transaction((query) => putAll(query, userId, records)),
    async finishProcessing(userId, memoryId, result) {
      const { summaryJson, transcriptJson } = toProcessedFields(memoryId, result);
      const values = [summaryJson, transcriptJson, toSqlText(memoryId), toSqlText(userId)];
      return (await database.query(statements.finishProcessing, values)).length > 0;
    },
    async deleteMemory(userId, memoryId) {
      const values = [toSqlText(memoryId), toSqlText(userId)];
      return (await database.query(statements.deleteMemory, values)).length > 0;
    },
  };
}

async function putAll(
  query: Query,
  userId: string,
  records: Iterable<MemoryRecord> | AsyncIterable<MemoryRecord>,
): Promise<number> {
  await assertAccountExists(query, userId);
  const batch = new Map<string, StoredMemory>();
  let count = 0;
  let characters = 0;
  let hasMoved = false;
  for await (const record of records) {
    const memory = toStoredMemory(userId, record);
    // One statement cannot store an id twice. If several records have one id, the last one counts.
    batch.set(memory.id, memory);
    count += 1;
    characters += (memory.transcriptJson?.length ?? 0) + (memory.summaryJson?.length ?? 0);
    if (batch.size < maximumRows && characters < maximumCharacters) continue;
    hasMoved = (await putBatch(query, batch)) || hasMoved;
    batch.clear();
    characters = 0;
  }
  if (batch.size > 0) hasMoved = (await putBatch(query, batch)) || hasMoved;
  // This statement comes last, because other writers of the account then wait until the transaction ends.
  if (hasMoved) await query(statements.countMove, [userId]);
  return count;
}

/** Returns whether the start of an existing memory has changed. */
async function putBatch(query: Query, batch: ReadonlyMap<string, StoredMemory>): Promise<boolean> {
  // All writers use one order, so that two of them cannot wait for each other.
  const memories = [...batch.values()].sort((a, b) => compareUtf8(a.id, b.id));
  const stored = await query(putMemories(memories.length), memories.flatMap(toValues));
  if (stored.length < memories.length) {
    const storedIds = new Set(stored.map(({ id }) => id));
    const taken = memories.find(({ id }) => !storedIds.has(id));
    if (taken) throw idTakenError(taken.id);
  }
  return stored.some(({ has_moved }) => has_moved === 'true');
}

function toValues(memory: StoredMemory): unknown[] {
  return [
    memory.id,
    memory.user_id,
    memory.started_at,
    memory.started_at,
    memory.is_processing,
    toRecordJson(memory),
    memory.summaryJson,
    memory.transcriptJson ?? null,
  ];
}
