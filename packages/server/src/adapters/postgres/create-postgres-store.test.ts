import { afterEach, expect, test } from 'vitest';
import { checkPostgresSchema } from './check-postgres-schema.ts';
import { createPostgresStore } from './create-postgres-store.ts';
import { schemaVersion } from './migrations.ts';
import { type FakePostgres, fakePostgres } from './replicas/fake-postgres.test-support.ts';
import type { PostgresReplicas } from './replicas/postgres-replicas.ts';
import { watchPostgresReplicas } from './replicas/watch-postgres-replicas.ts';
import { statements } from './statements.ts';

const { findApiKey, getMemory, readPage, readVersion } = statements;
const row = { version: String(schemaVersion), characters: '1', record_json: '{}', expires_at_ms: null };

let replicas: PostgresReplicas | undefined;

afterEach(async () => {
  await replicas?.close();
  replicas = undefined;
});

test('without replicas, each read sends its statement to the pool once, and nothing else', async () => {
  const primary = recordingPostgres();
  await readAll(primary.pool);
  expect(primary.received).toEqual([
    [findApiKey, ['hash']],
    [getMemory, ['mem_1', 'ada']],
    [readPage, ['ada', ':', '']],
    [readVersion, ['\u{1f3a7}']],
  ]);
});

test('keys, memories, lists and the version of the schema are read from replicas', async () => {
  const { primary, replica } = await watch();
  await readAll(primary.pool);
  expect(textsOf(replica)).toEqual([findApiKey, getMemory, readPage, readVersion]);
  expect(primary.received).toEqual([]);
});

test('every other call uses the primary', async () => {
  const { primary, replica } = await watch();
  const store = createPostgresStore({ pool: primary.pool, replicas });
  await store.findAccount('ada');
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', []);
  await store.finishProcessing('ada', 'mem_1', { summary: null, transcript: null });
  await store.deleteMemory('ada', 'mem_1');
  await store.putApiKey({ keyId: 'key_1', keyHash: 'f'.repeat(64), userId: 'ada' });
  await store.revokeApiKey('key_1');
  await store.listApiKeys();
  await store.listApiKeys('ada');
  const { findAccount, putAccount, finishProcessing, deleteMemory, ...others } = statements;
  const { putApiKey, revokeApiKey, listApiKeys, listApiKeysOfAccount } = others;
  const ofMemories = [findAccount, putAccount, finishProcessing, deleteMemory];
  const ofKeys = [putApiKey, revokeApiKey, listApiKeys, listApiKeysOfAccount];
  expect(textsOf(primary)).toEqual(expect.arrayContaining([...ofMemories, ...ofKeys]));
  expect(replica.received).toEqual([]);
});

test('a list stays with one replica, and sends its signal with each page', async () => {
  const { primary, replica, other } = await watch(2);
  const store = createPostgresStore({ pool: primary.pool, replicas });
  for (const each of [replica, other]) each.rows = Array.from({ length: 200 }, () => row);
  const leaving = new AbortController();
  const memories = store.listMemories({ userId: 'ada', signal: leaving.signal })[Symbol.asyncIterator]();
  for (let count = 0; count < 600; count += 1) await memories.next();
  expect([replica.received.length, other.received.length].toSorted()).toEqual([0, 3]);
  for (const each of [replica, other]) {
    each.answer = () => {
      leaving.abort();
      throw Object.assign(new Error('Failed to read: it is lost. Wait.'), { code: '57P01' });
    };
  }
  await expect(memories.next()).rejects.toMatchObject({ name: 'AbortError' });
  expect([replica.received.length, other.received.length].toSorted()).toEqual([0, 4]);
  expect(primary.received).toEqual([]);
});

test('tables that a replica lacks are read from the primary, and so is the version that explains an error', async () => {
  const { primary, replica } = await watch();
  const store = createPostgresStore({ pool: primary.pool, replicas, name: 'the store' });
  const fail = () => {
    throw Object.assign(new Error('Failed to read: no table. Create it.'), { code: '42P01' });
  };
  replica.answer = fail;
  expect(await store.getMemory({ userId: 'ada', memoryId: 'mem_1' })).toBeDefined();
  await checkPostgresSchema({ pool: primary.pool, replicas });
  expect(textsOf(primary)).toEqual([getMemory, readVersion]);
  primary.answer = (sql) => (sql === readVersion ? [{ ...row, version: '99' }] : fail());
  replica.answer = (sql) => (sql === readVersion ? [row] : fail());
  await expect(store.getMemory({ userId: 'ada', memoryId: 'mem_1' })).rejects.toMatchObject({
    ...{ name: 'PostgresStoreError', code: 'newer_version' },
    message: expect.stringMatching(/^Failed to use the store: its schema has version 99/),
  });
});

test('a replica that lags behind a migration does not make the check of the schema fail', async () => {
  const { primary, replica } = await watch();
  const older = [{ ...row, version: String(schemaVersion - 1) }];
  replica.rows = older;
  await checkPostgresSchema({ pool: primary.pool, replicas });
  expect(textsOf(primary)).toEqual([readVersion]);
  primary.rows = older;
  const check = checkPostgresSchema({ pool: primary.pool, replicas });
  await expect(check).rejects.toMatchObject({ code: 'not_migrated' });
});

test('an error of a replica is explained with the name of the store', async () => {
  const { primary, replica } = await watch();
  const store = createPostgresStore({ pool: primary.pool, replicas, name: 'the store' });
  replica.answer = () => {
    throw Object.assign(new Error('Failed to read: secret. Wait.'), { code: '22021' });
  };
  await expect(store.findApiKey('hash')).rejects.toMatchObject({
    ...{ name: 'PostgresStoreError', code: 'wrong_encoding' },
    message: expect.stringMatching(/^Failed to use the store: /),
  });
});

async function readAll(pool: RecordingPostgres['pool']): Promise<void> {
  const store = createPostgresStore({ pool, replicas });
  await store.findApiKey('hash');
  await store.getMemory({ userId: 'ada', memoryId: 'mem_1' });
  for await (const memory of store.listMemories({ userId: 'ada' })) expect(memory).toBeDefined();
  await checkPostgresSchema({ pool, replicas });
}

interface RecordingPostgres {
  pool: FakePostgres['pool'];
  received: unknown[][];
  rows: Record<string, unknown>[];
  /** Returns the rows of a statement. */
  answer(sql: string): Record<string, unknown>[];
}

/** A server that records each statement of the store. */
function recordingPostgres(stream: FakePostgres['stream'] = null): RecordingPostgres {
  const { pool } = fakePostgres({
    stream,
    async answer(...statement) {
      server.received.push(statement);
      return { rows: server.answer(statement[0]) };
    },
  });
  const server: RecordingPostgres = { pool, received: [], rows: [row], answer: () => server.rows };
  return server;
}

function textsOf({ received }: RecordingPostgres): unknown[] {
  return received.map(([text]) => text);
}

/** Watches replicas whose first check has succeeded. */
async function watch(count = 1) {
  const primary = recordingPostgres();
  const servers = [recordingPostgres({ timeline: 1 }), recordingPostgres({ timeline: 1 })] as const;
  const named = servers.map(({ pool }, index) => ({ name: `replica ${index}`, pool }));
  replicas = watchPostgresReplicas({ primary: primary.pool, replicas: named.slice(0, count) });
  await replicas.checked;
  return { primary, replica: servers[0], other: servers[1] };
}
