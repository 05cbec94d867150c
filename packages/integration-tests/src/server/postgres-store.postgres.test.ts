import type { MemoryStore } from '@memory-read/server';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '@memory-read/server/testing';
import { addAccount, createMemoryService, listAll } from '@memory-read/test-kit/memory-service';
import { createTestSchema, createTestStore, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { type Statement, watchStatements } from '@memory-read/test-kit/postgres/watch-statements';
import { sampleRecord, sampleRecords } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test, vi } from 'vitest';

for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
  for (const { title, run } of cases(async () => toStoreHarness(await createTestStore()))) test(title, run);
}

let schema: TestSchema;

beforeEach(async () => {
  schema = await createTestSchema();
});

test('reads a list of 10,000 memories in pages, and uses no connection while its reader pauses', async () => {
  const { store, pool, sent } = await openStore();
  expect(await store.putMemories('ada', sampleRecords(10_000))).toBe(10_000);
  sent.length = 0;
  const expected = Array.from(sampleRecords(10_000), ({ id }) => id);
  const listed: string[] = [];
  for await (const { id } of store.listMemories({ userId: 'ada' })) {
    listed.push(id);
    expect(pool.idleCount).toBe(pool.totalCount);
  }
  expect(listed).toEqual(expected);
  expect(sent).toHaveLength(10_000 / 200 + 1);
  expect(sent.filter(({ text }) => !/ LIMIT \(SELECT 200\)/.test(text))).toEqual([]);
});

test('a list that is aborted while a page is read sends no further statement', async () => {
  const { store, sent } = await openStore();
  await store.putMemories('ada', sampleRecords(600));
  sent.length = 0;
  const leaving = new AbortController();
  const reading = store.listMemories({ userId: 'ada', signal: leaving.signal })[Symbol.asyncIterator]().next();
  leaving.abort();
  await expect(reading).rejects.toThrow('aborted');
  expect(sent).toHaveLength(1);
});

test('a response that is not read to its end holds no client of the pool, no transaction and no statement', async () => {
  const { store, pool, sent } = await openStore();
  const segments = Array.from({ length: 2_000 }, () => ({
    speaker: 'Speaker 1',
    start_at: '2026-03-01T09:00:01Z',
    end_at: '2026-03-01T09:00:02Z',
    text: 'A sentence of a long recording.',
  }));
  const long = sampleRecord({ id: 'long', transcript: { segments } });
  const { key } = await addAccount(store, 'ada', [...sampleRecords(600), long]);
  const { fetch } = createMemoryService(store, 'http://127.0.0.1');
  const leaving = new AbortController();
  const requests: [path: string, init: RequestInit][] = [
    ['/v1/memories', {}],
    ['/v1/memories', { method: 'HEAD' }],
    ['/v1/memories', { signal: leaving.signal }],
    ['/v1/memories/long', {}],
    ['/v1/memories/long', { method: 'HEAD' }],
  ];
  const unread: Response[] = [];
  for (const [path, init] of requests) {
    const request = new Request(`http://127.0.0.1${path}`, { headers: { 'x-api-key': key }, ...init });
    unread.push(await fetch(request));
  }
  await unread[0]?.body?.getReader().read();
  leaving.abort();
  sent.length = 0;
  expect(unread.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await vi.waitFor(() => expect([pool.idleCount, pool.waitingCount]).toEqual([pool.totalCount, 0]));
  expect(sent).toEqual([]);
  const { rows } = await pool.query(
    // The server's own vacuum can be active, too.
    `SELECT state FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() AND state <> 'idle'
      AND backend_type = 'client backend'`,
  );
  expect(rows).toEqual([]);
});

test('stores a batch of 10,000 memories in statements of at most 100 rows, in one transaction', async () => {
  const { store, sent } = await openStore();
  sent.length = 0;
  await store.putMemories('ada', sampleRecords(10_000));
  expect(sent.map(({ text }) => text.trim().split(/\s/)[0])).toEqual([
    ...['BEGIN', 'SET', 'SELECT', ...Array(100).fill('INSERT'), 'COMMIT'],
  ]);
  expect(Math.max(...sent.map(({ values }) => values.length))).toBe(800);
});

test('long transcripts make the statements of a batch smaller', async () => {
  const { store, sent } = await openStore();
  const times = { start_at: '2026-03-01T09:00:01Z', end_at: '2026-03-01T09:00:02Z' };
  const segments = [{ speaker: 'Speaker 1', ...times, text: 'long '.repeat(80_000) }];
  sent.length = 0;
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  await store.putMemories(
    'ada',
    ids.map((id) => sampleRecord({ id, transcript: { segments } })),
  );
  const inserts = sent.filter(({ text }) => text.includes('INSERT'));
  expect(inserts.map(({ values }) => values.length / 8)).toEqual([3, 3, 1]);
});

test.each([
  ['just imported', 'SELECT 1'],
  ['known to the planner', 'ANALYZE memories'],
])('reads a page of an account %s from its index, without sorting or scanning the account', async (_, preparation) => {
  const { store, pool, sent } = await openStore();
  await store.putMemories('ada', sampleRecords(5_000));
  await pool.query(preparation);
  sent.length = 0;
  await listIds(store);
  const { text = '', values = [] } = sent[1] ?? {};
  const plan = (await pool.query(`EXPLAIN ${text}`, values)).rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan using memories_newest_first on memories');
  expect(plan).toMatch(/Index Cond: .*ROW\(started_at, id\) < ROW\(/);
  expect(plan).not.toMatch(/Seq Scan on memories|Filter:.*started_at/);
});

test('a list continues while others add and delete memories, and contains each remaining memory once', async () => {
  const { store } = await openStore();
  const other = createPostgresStore({ pool: schema.createPool() });
  await store.putMemories('ada', sampleRecords(600));
  const listed: string[] = [];
  for await (const { id } of store.listMemories({ userId: 'ada' })) {
    listed.push(id);
    if (listed.length !== 100) continue;
    await other.putMemories('ada', [
      sampleRecord({ id: 'newest', started_at: '2030-01-01T00:00:00Z' }),
      sampleRecord({ id: 'oldest', started_at: '2000-01-01T00:00:00Z' }),
    ]);
    await other.deleteMemory('ada', 'mem_000200');
  }
  const kept = Array.from(sampleRecords(600), ({ id }) => id).filter((id) => id !== 'mem_000200');
  expect(listed).toEqual([...kept, 'oldest']);
});

test.each([
  ['from ahead of the reader to behind it', 'mem_000001', '2030-01-01T00:00:00Z', 150],
  ['from behind the reader to ahead of it', 'mem_000600', '2000-01-01T00:00:00Z', 150],
  ['to behind the reader when only an empty page is left', 'mem_000001', '2030-01-01T00:00:00Z', 400],
])('a list is cut off when another process moves a memory %s', async (_, id, started_at, position) => {
  const { store } = await openStore();
  const other = createPostgresStore({ pool: schema.createPool() });
  await store.putMemories('ada', sampleRecords(600));
  // The last page is full, or contains only the memory that moves.
  if (position === 400) for (const gone of ids(2, 200)) await store.deleteMemory('ada', gone);
  let count = 0;
  const reading = async () => {
    for await (const _memory of store.listMemories({ userId: 'ada' })) {
      count += 1;
      if (count === position) await other.putMemories('ada', [sampleRecord({ id, started_at })]);
    }
  };
  await expect(reading()).rejects.toMatchObject({ name: 'MemoryStoreError', code: 'memories_moved' });
});

test('a list continues when another account moves a memory, and when a batch moves none or is rejected', async () => {
  const { store } = await openStore();
  await store.putAccount({ userId: 'grace' });
  await store.putMemories('ada', sampleRecords(600));
  await store.putMemories('grace', [sampleRecord({ id: 'of grace' })]);
  let count = 0;
  for await (const _memory of store.listMemories({ userId: 'ada' })) {
    count += 1;
    if (count !== 100) continue;
    const moved = sampleRecord({ id: 'mem_000001', started_at: '2030-01-01T00:00:00Z' });
    const ofGrace = sampleRecord({ id: 'of grace', started_at: '2030-01-01T00:00:00Z' });
    await store.putMemories('ada', sampleRecords(600));
    await store.putMemories('grace', [ofGrace]);
    await expect(store.putMemories('ada', [moved, ofGrace])).rejects.toMatchObject({ code: 'id_taken' });
  }
  expect(count).toBe(600);
});

// The suites for stores send such texts to the other methods.
test.each(['one\0', '\ud800'])(
  'an account with the id %j, which PostgreSQL cannot store, has nothing',
  async (text) => {
    const { store } = await openStore();
    await store.putAccount({ userId: '\ufffd' });
    await store.putMemories('\ufffd', [sampleRecord({ id: '\ufffd' })]);
    expect(await store.getMemory({ userId: '\ufffd', memoryId: text })).toBeUndefined();
    expect(await listAll(store, text)).toEqual([]);
    expect(await store.findApiKey(text)).toBeUndefined();
    expect(await store.listApiKeys(text)).toEqual([]);
    expect(await store.revokeApiKey(text)).toBe(false);
    const unknown = { name: 'MemoryStoreError', code: 'unknown_account' };
    await expect(store.putMemories(text, [])).rejects.toMatchObject(unknown);
    const key = { keyId: 'one', keyHash: 'a'.repeat(64), userId: text };
    await expect(store.putApiKey(key)).rejects.toMatchObject(unknown);
  },
);

test('a key whose hash is taken is invalid', async () => {
  const { store } = await openStore();
  const key = { keyId: 'one', keyHash: 'a'.repeat(64), userId: 'ada' };
  await store.putApiKey(key);
  const taken = { name: 'MemoryStoreError', code: 'invalid_api_key' };
  await expect(store.putApiKey({ ...key, keyId: 'two' })).rejects.toMatchObject(taken);
});

test('a memory of another account and an unknown one take the same statements and give the same result', async () => {
  const { store, sent } = await openStore();
  const { key } = await addAccount(store, 'ada');
  await addAccount(store, 'grace', [sampleRecord({ id: 'of grace' })]);
  const { fetch } = createMemoryService(store, 'http://localhost');
  const headers = { 'x-api-key': key, 'x-request-id': 'same' };
  const works: Record<string, unknown>[] = [];
  for (const memoryId of ['of grace', 'of nobody', '\u{10ffff}']) {
    sent.length = 0;
    const url = `http://localhost/v1/memories/${encodeURIComponent(memoryId)}`;
    const answer = await fetch(new Request(url, { headers }));
    const statements = JSON.stringify(sent).replaceAll(JSON.stringify(memoryId), '"the id"');
    works.push({ status: answer.status, headers: [...answer.headers], body: await answer.text(), statements });
    expect(sent).toHaveLength(2);
  }
  const [ofAnother, unknown, ofNobody] = works;
  expect(unknown).toEqual(ofAnother);
  expect(ofNobody).toEqual(ofAnother);
  expect(ofAnother).toMatchObject({ status: 404, body: '{"detail":"Memory not found"}' });
});

/** A store with the account ada, over a pool that records its statements. */
async function openStore() {
  const pool = schema.createPool();
  const sent: Statement[] = [];
  watchStatements(pool, (statement) => sent.push(statement));
  await migratePostgresStore({ pool });
  const store = createPostgresStore({ pool });
  await store.putAccount({ userId: 'ada' });
  return { store, pool, sent };
}

async function listIds(store: MemoryStore): Promise<string[]> {
  return (await listAll(store)).map(({ id }) => id);
}

function ids(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `mem_${String(from + index).padStart(6, '0')}`);
}
