import type { MemoryRecord } from '@memory-read/contract';
import type { StoredMemory } from '../../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { idTakenError } from '../../records/memory-store-error.ts';
import { toProcessedFields } from '../../records/to-processed-fields.ts';
import { toStoredMemory } from '../../records/to-stored-memory.ts';
import { toRecordJson } from '../sql/record-json.ts';
import { assertAccountExists } from './sqlite-accounts.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { toSqlText } from './sqlite-text.ts';

const portionRows = 100;
const portionCharacters = 1_000_000;

const columns = 'id, user_id, started_at, is_processing, record_json, summary_json, transcript_json';
const updates = columns
  .split(/,\s*/)
  .slice(2)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

const createStaged = `CREATE TABLE staging.staged AS SELECT 0 AS batch, ${columns} FROM memories LIMIT 0`;

// The text is built once, because it is the cache key of the statement for each record.
const stageSql = `INSERT INTO staging.staged (batch, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Stages records in an unnamed database until the last one has arrived.
 *
 * So a slow source locks out no other writer, and an aborted one leaves nothing behind. SQLite holds that database in
 * its temporary directory and deletes it when it is detached. A temporary table would occupy its space until the
 * connection closes.
 */
export function createSqliteMemoryWriter(
  database: SqliteDatabase,
): Pick<MemoryStoreAdmin, 'putMemories' | 'finishProcessing' | 'deleteMemory'> {
  let batchCount = 0;
  let inFlight = 0;

  return {
    async putMemories(userId, records) {
      assertAccountExists(database, userId);
      if (inFlight === 0) database.exec("ATTACH DATABASE '' AS staging");
      batchCount += 1;
      inFlight += 1;
      const batch = batchCount;
      try {
        if (inFlight === 1) database.exec(createStaged);
        await stageAll(database, batch, userId, records);
        return database.transaction(() => storeStaged(database, batch, userId));
      } finally {
        inFlight -= 1;
        if (inFlight === 0) database.exec('DETACH DATABASE staging');
        else database.run('DELETE FROM staging.staged WHERE batch = ?', batch);
      }
    },
    async finishProcessing(userId, memoryId, result) {
      const { summaryJson, transcriptJson } = toProcessedFields(memoryId, result);
      const changes = database.run(
        'UPDATE memories SET is_processing = 0, summary_json = ?, transcript_json = ? WHERE id = ? AND user_id = ?',
        summaryJson,
        transcriptJson ?? null,
        toSqlText(memoryId),
        toSqlText(userId),
      );
      return changes > 0;
    },
    async deleteMemory(userId, memoryId) {
      const sql = 'DELETE FROM memories WHERE id = ? AND user_id = ?';
      return database.run(sql, toSqlText(memoryId), toSqlText(userId)) > 0;
    },
  };
}

/** Uses batches, because a transaction for each record would take as long as everything else. */
async function stageAll(
  database: SqliteDatabase,
  batch: number,
  userId: string,
  records: Iterable<MemoryRecord> | AsyncIterable<MemoryRecord>,
): Promise<void> {
  const portion: StoredMemory[] = [];
  let characters = 0;
  for await (const record of records) {
    const memory = toStoredMemory(userId, record);
    portion.push(memory);
    characters += (memory.transcriptJson?.length ?? 0) + (memory.summaryJson?.length ?? 0);
    if (portion.length < portionRows && characters < portionCharacters) continue;
    stagePortion(database, batch, portion);
    portion.length = 0;
    characters = 0;
  }
  stagePortion(database, batch, portion);
}

function stagePortion(database: SqliteDatabase, batch: number, portion: readonly StoredMemory[]): void {
  database.temporaryTransaction(() => {
    for (const memory of portion) stage(database, batch, memory);
  });
}

function stage(database: SqliteDatabase, batch: number, memory: StoredMemory): void {
  database.run(
    stageSql,
    batch,
    memory.id,
    memory.user_id,
    memory.started_at,
    memory.is_processing ? 1 : 0,
    toRecordJson(memory),
    memory.summaryJson,
    memory.transcriptJson ?? null,
  );
}

/** Stores in the order of arrival, so that the last of several records with one id counts. */
function storeStaged(database: SqliteDatabase, batch: number, userId: string): number {
  const taken = database.get(
    `SELECT memories.id FROM staging.staged JOIN memories ON memories.id = staged.id
     WHERE staged.batch = ? AND memories.user_id <> ? LIMIT 1`,
    batch,
    userId,
  );
  if (taken) throw idTakenError(taken.id as string);
  countMove(database, batch, userId);
  return database.run(
    `INSERT INTO memories (${columns}) SELECT ${columns} FROM staging.staged WHERE batch = ? ORDER BY rowid
     ON CONFLICT (id) DO UPDATE SET ${updates}`,
    batch,
  );
}

/** Makes lists in flight detect that a memory moves. */
function countMove(database: SqliteDatabase, batch: number, userId: string): void {
  database.run(
    `UPDATE accounts SET move_count = move_count + 1 WHERE user_id = ? AND EXISTS (
       SELECT 1 FROM staging.staged JOIN memories ON memories.id = staged.id
       WHERE staged.batch = ? AND memories.started_at <> staged.started_at)`,
    userId,
    batch,
  );
}
