import { copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MemoryRecord } from '@memory-read/contract';
import { apiKeyAuthenticator, type StoredMemory } from '@memory-read/server';
import { openSqliteStore, type SqliteStore } from '@memory-read/server/sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { account, apiKeys, memories } from './written-content.ts';

const written = globSync('sqlite-schema-*.sqlite', { cwd: import.meta.dirname }).sort();
const anHourBefore = new Date('2026-05-31T23:00:00.000Z');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-read-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('every schema up to the present one has a database that was written with it', async () => {
  const path = join(folder, 'new.sqlite');
  await openSqliteStore({ path }).close();
  const schemas = Array.from({ length: versionOf(path) }, (_, index) => index + 1);
  const expected = schemas.map((schema) => `sqlite-schema-${schema}.sqlite`);
  expect(written, 'write the one of a new schema with write-database.ts').toEqual(expected);
  expect(written.map((name) => versionOf(copyOf(name)))).toEqual(schemas);
});

describe.each(written)('%s, opened by this version,', (name) => {
  let store: SqliteStore;
  beforeEach(() => {
    store = openSqliteStore({ path: copyOf(name) });
    return () => store.close();
  });

  test('lists its memories newest first', async () => {
    const listed = await listOf(store);
    expect(listed.map(({ id }) => id)).toEqual(['mem_processing', 'mem_edge_loneSurrogateText', '../a b%2Fc?d#e']);
    expect(listed.map(toRecord)).toEqual(memories.map((memory) => ({ ...memory, transcript: null })));
  });

  test.each(memories)('has all of $id', async (memory) => {
    const found = await store.getMemory({ userId: account.userId, memoryId: memory.id });
    expect(found && toRecord(found)).toEqual(memory);
    expect(await store.getMemory({ userId: 'user_2', memoryId: memory.id })).toBeUndefined();
  });

  test('knows its account, and lets its keys in until they are revoked or over', async () => {
    expect(await store.findAccount('user_1')).toEqual(account);
    const statuses = async (now: Date) => {
      const authenticate = apiKeyAuthenticator(store, { clock: { now: () => now } });
      return Promise.all(Object.values(apiKeys).map(async ({ key }) => (await authenticate(key))?.userId));
    };
    expect(await statuses(anHourBefore)).toEqual(['user_1', 'user_1', undefined]);
    expect(await statuses(new Date('2026-06-01T00:00:00.000Z'))).toEqual(['user_1', undefined, undefined]);
    const hashOfActive = 'c7e7facf20740f90b828be732873759674377650c05c80b76eef4cd33494069c';
    expect(await store.findApiKey(hashOfActive)).toMatchObject({ keyId: 'key_active', active: true });
  });

  test('can be written', async () => {
    const [first] = memories as [MemoryRecord];
    await store.putMemories(account.userId, [{ ...first, id: 'mem_new' }]);
    expect(await listOf(store)).toHaveLength(memories.length + 1);
  });
});

/** Opening one migrates it: the databases of this folder have to stay as they are. */
function copyOf(name: string): string {
  const path = join(folder, name);
  copyFileSync(join(import.meta.dirname, name), path);
  return path;
}

async function listOf(store: SqliteStore): Promise<StoredMemory[]> {
  const listed: StoredMemory[] = [];
  for await (const memory of store.listMemories({ userId: account.userId })) listed.push(memory);
  return listed;
}

function versionOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('PRAGMA user_version').get();
  database.close();
  return Number(row?.user_version);
}

function toRecord({ user_id: _, summaryJson, transcriptJson, ...memory }: StoredMemory): MemoryRecord {
  return { ...memory, summary: JSON.parse(summaryJson ?? 'null'), transcript: JSON.parse(transcriptJson ?? 'null') };
}
