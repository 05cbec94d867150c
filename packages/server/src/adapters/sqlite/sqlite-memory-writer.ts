import type { MemoryRecord } from '@memory-read/contract';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import type { StoredMemory } from '../../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { idTakenError } from '../../records/memory-store-error.ts';
import { toProcessedFields } from '../../records/to-processed-fields.ts';
import { toStoredMemory } from '../../records/to-stored-memory.ts';
import { toRecordJson } from '../sql/record-json.ts';
import { assertAccountExists } from './sqlite-accounts.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
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

const createStaged = `CREATE TABLE IF NOT EXISTS staging.staged AS SELECT ${columns} FROM memories LIMIT 0`;

// The text is built once, because it is the cache key of the statement for each record.
const stageSql = `INSERT INTO staging.staged (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`;

const ofPortion = 'staged.rowid BETWEEN ? AND ?';

/** Staged rows that are stored at a time, by the first and the last number. */
type Portion = readonly [first: number, last: number];

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
  let inFlight = 0;

  return {
    async putMemories(userId, records) {
      assertAccountExists(database, userId);
      await database.betweenTransactions((writer) => {
        if (inFlight === 0) writer.exec("ATTACH DATABASE '' AS staging");
        inFlight += 1;
      });
      const portions: Portion[] = [];
      try {
        await database.betweenTransactions((writer) => writer.exec(createStaged));
        for await (const memories of inPortions(userId, records)) {
          portions.push(await database.betweenTransactions((writer) => stagePortion(writer, memories)));
        }
        return await database.transaction((writer) => storeStaged(writer, portions, userId));
      } finally {
        await database.betweenTransactions((writer) => {
          inFlight -= 1;
          if (inFlight === 0) writer.exec('DETACH DATABASE staging');
          else for (const portion of portions) writer.run(`DELETE FROM staging.staged WHERE ${ofPortion}`, ...portion);
        });
      }
    },
    async finishProcessing(userId, memoryId, result) {
      const { summaryJson, transcriptJson } = toProcessedFields(memoryId, result);
      const sql =
        'UPDATE memories SET is_processing = 0, summary_json = ?, transcript_json = ? WHERE id = ? AND user_id = ?';
      const values = [summaryJson, transcriptJson ?? null, toSqlText(memoryId), toSqlText(userId)];
      return (await database.transaction((writer) => writer.run(sql, ...values))) > 0;
    },
    async deleteMemory(userId, memoryId) {
      const sql = 'DELETE FROM memories WHERE id = ? AND user_id = ?';
      return (await database.transaction((writer) => writer.run(sql, toSqlText(memoryId), toSqlText(userId)))) > 0;
    },
  };
}

/** Groups memories, because a transaction for each one would take as long as everything else. */
async function* inPortions(
  userId: string,
  records: Iterable<MemoryRecord> | AsyncIterable<MemoryRecord>,
): AsyncGenerator<StoredMemory[], void, void> {
  let portion: StoredMemory[] = [];
  let characters = 0;
  for await (const record of records) {
    const memory = toStoredMemory(userId, record);
    portion.push(memory);
    characters += (memory.transcriptJson?.length ?? 0) + (memory.summaryJson?.length ?? 0);
    if (portion.length < portionRows && characters < portionCharacters) continue;
    yield portion;
    await yieldToEventLoop();
    portion = [];
    characters = 0;
  }
  if (portion.length > 0) yield portion;
}

function stagePortion(writer: SqliteConnection, memories: readonly StoredMemory[]): Portion {
  return writer.temporaryTransaction(() => {
    for (const memory of memories) stage(writer, memory);
    const last = Number(writer.get('SELECT max(rowid) AS last FROM staging.staged')?.last);
    return [last - memories.length + 1, last];
  });
}

function stage(writer: SqliteConnection, memory: StoredMemory): void {
  writer.run(
    stageSql,
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
async function storeStaged(writer: SqliteConnection, portions: readonly Portion[], userId: string): Promise<number> {
  let stored = 0;
  let hasMoved = false;
  for (const [index, portion] of portions.entries()) {
    if (index > 0) await yieldToEventLoop();
    const taken = writer.get(
      `SELECT memories.id FROM staging.staged JOIN memories ON memories.id = staged.id
       WHERE ${ofPortion} AND memories.user_id <> ? LIMIT 1`,
      ...portion,
      userId,
    );
    if (taken) throw idTakenError(taken.id as string);
    hasMoved ||= moves(writer, portion);
    stored += writer.run(
      `INSERT INTO memories (${columns}) SELECT ${columns} FROM staging.staged WHERE ${ofPortion} ORDER BY rowid
       ON CONFLICT (id) DO UPDATE SET ${updates}`,
      ...portion,
    );
  }
  // Makes lists in flight detect that a memory moves.
  if (hasMoved) writer.run('UPDATE accounts SET move_count = move_count + 1 WHERE user_id = ?', userId);
  return stored;
}

/** Returns whether the portion changes the start of a memory. */
function moves(writer: SqliteConnection, portion: Portion): boolean {
  const sql = `
    SELECT 1 FROM staging.staged JOIN memories ON memories.id = staged.id
    WHERE ${ofPortion} AND memories.started_at <> staged.started_at LIMIT 1`;
  return writer.get(sql, ...portion) !== undefined;
}
