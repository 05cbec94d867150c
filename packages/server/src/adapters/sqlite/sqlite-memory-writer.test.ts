import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManyRecords, createRecord } from '../../testing/test-records.ts';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import { createSqliteAccounts } from './sqlite-accounts.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { createSqliteMemoryWriter } from './sqlite-memory-writer.ts';
import { temporaryStoreFile } from './temporary-store-file.test-support.ts';

/** More memories than are staged at a time. */
const many = createManyRecords(250);

let path: string;
let database: SqliteDatabase;
let writer: ReturnType<typeof createSqliteMemoryWriter>;

beforeEach(async () => {
  path = temporaryStoreFile();
  database = openSqliteDatabase(path);
  await createSqliteAccounts(database).putAccount({ userId: 'ada' });
  writer = createSqliteMemoryWriter(database);
});

afterEach(() => database.close());

test('no batch leaves its records in a temporary database, stored or rejected', async () => {
  await writer.putMemories('ada', many);
  const refused = [...many, createRecord({ id: 'fine' }), createRecord({ id: '..' })];
  await expect(writer.putMemories('ada', refused)).rejects.toThrow();
  expect(await databases()).toEqual(['main']);
  expect(await countOf('memories')).toBe(250);
});

test('the end of a batch, stored or rejected, does not affect one in progress', async () => {
  async function* records() {
    yield* many;
    await writer.putMemories('ada', [createRecord({ id: 'other' })]);
    await expect(writer.putMemories('ada', [createRecord({ id: '..' })])).rejects.toThrow();
    expect(await countOf('staged')).toBe(200);
    yield createRecord({ id: 'last' });
  }
  expect(await writer.putMemories('ada', records())).toBe(251);
  expect(await databases()).toEqual(['main']);
  expect(await countOf('memories')).toBe(252);
});

test('accepts records while another process writes', async () => {
  const other = new DatabaseSync(path);
  async function* records() {
    other.exec('BEGIN IMMEDIATE');
    yield* many;
    other.exec('COMMIT');
  }
  expect(await writer.putMemories('ada', records())).toBe(250);
  other.close();
});

test('of several records with one id, the last one counts, however far apart they are', async () => {
  const id = many[0]?.id ?? '';
  await writer.putMemories('ada', [...many, createRecord({ id, name: 'The last one' })]);
  const stored = database.get('SELECT record_json FROM memories WHERE id = ?', id);
  expect(JSON.parse(stored?.record_json as string)).toMatchObject({ id, name: 'The last one' });
});

test('stores long records before there are a hundred of them', async () => {
  const staged: unknown[] = [];
  const summary = { quick_summary: 'x'.repeat(600_000), key_takeaways: [] };
  async function* records() {
    for (const id of ['one', 'two', 'three']) {
      staged.push(await countOf('staged'));
      yield createRecord({ id, summary });
    }
    staged.push(await countOf('staged'));
  }
  await writer.putMemories('ada', records());
  expect(staged).toEqual([0, 0, 2, 2]);
});

async function databases(): Promise<unknown[]> {
  const rows = await database.betweenTransactions((writer) => writer.all('PRAGMA database_list'));
  return rows.map(({ name }) => name);
}

async function countOf(table: string): Promise<unknown> {
  const sql = `SELECT count(*) AS count FROM ${table}`;
  return (await database.betweenTransactions((writer) => writer.get(sql)))?.count;
}
