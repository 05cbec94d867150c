import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { watchStatements } from '@memory-read/test-kit/postgres/watch-statements';
import { sampleRecord, sampleRecords } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';

let schema: TestSchema;
let owner: ReturnType<TestSchema['createPool']>;

beforeEach(async () => {
  schema = await createTestSchema();
  owner = schema.createPool();
  await migratePostgresStore({ pool: owner });
  await createPostgresStore({ pool: owner }).putAccount({ userId: 'ada' });
});

test.each(['memories', 'accounts', 'api_keys', 'memory_read_versions'])(
  'with a lock_timeout, the calls that use the locked table %s say that they waited for a lock',
  async (table) => {
    const pool = schema.createPool({ connectionString: withOption('lock_timeout=50ms') });
    const store = createPostgresStore({ pool, name: 'db' });
    const lock = await owner.connect();
    onTestFinished(() => lock.release(true));
    await lock.query('BEGIN');
    await lock.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const calls: Record<string, (() => Promise<unknown>)[]> = {
      memories: [
        () => store.getMemory({ userId: 'ada', memoryId: 'one' }),
        () => store.listMemories({ userId: 'ada' })[Symbol.asyncIterator]().next(),
        () => store.putMemories('ada', [sampleRecord({ id: 'one' })]),
        () => store.finishProcessing('ada', 'one', { transcript: null, summary: null }),
        () => store.deleteMemory('ada', 'one'),
      ],
      accounts: [() => store.findAccount('ada'), () => store.putAccount({ userId: 'grace' })],
      api_keys: [
        () => store.findApiKey('a'.repeat(64)),
        () => store.putApiKey({ keyId: 'key', keyHash: 'a'.repeat(64), userId: 'ada' }),
        () => store.revokeApiKey('key'),
        () => store.listApiKeys(),
      ],
      memory_read_versions: [() => migratePostgresStore({ pool, name: 'db' })],
    };
    const tooSlow = {
      name: 'PostgresStoreError',
      code: 'timeout',
      message: 'Failed to use db: a statement waited too long for a lock. Try again.',
    };
    await Promise.all((calls[table] ?? []).map((call) => expect(call(), String(call)).rejects.toMatchObject(tooSlow)));
  },
);

test('a transaction that waits too long for its next record ends, and stores nothing', async () => {
  const pool = schema.createPool({ connectionString: withOption('idle_in_transaction_session_timeout=50ms') });
  const store = createPostgresStore({ pool, name: 'db' });
  const lost = Promise.withResolvers<void>();
  pool.on('connect', (connection) => connection.on('error', () => lost.resolve()));
  async function* slow() {
    yield* sampleRecords(100);
    await lost.promise;
    yield sampleRecord({ id: 'last' });
  }
  await expect(store.putMemories('ada', slow())).rejects.toMatchObject({
    code: 'timeout',
    message:
      'Failed to use db: the transaction waited too long for the next record. Pass the records faster, or raise idle_in_transaction_session_timeout.',
  });
  expect((await owner.query('SELECT id FROM memories')).rows).toEqual([]);
});

test('a statement in an aborted transaction is a conflict, and stores nothing', async () => {
  const pool = schema.createPool();
  let failing: Promise<unknown> | undefined;
  watchStatements(pool, ({ text }, connection) => {
    if (failing || !text.includes('INSERT INTO memories')) return;
    failing = connection.query('SELECT 1 / 0').catch(() => {});
  });
  const store = createPostgresStore({ pool, name: 'db' });
  await expect(store.putMemories('ada', sampleRecords(1))).rejects.toMatchObject({
    code: 'conflict',
    message: 'Failed to use db: an earlier statement of the transaction failed. Try again.',
  });
  expect(await store.putMemories('ada', sampleRecords(1))).toBe(1);
});

test('the message for a server without a free connection says so', async () => {
  await owner.query(`CREATE ROLE ${schema.name}_limited LOGIN CONNECTION LIMIT 0`);
  onTestFinished(async () => void (await owner.query(`DROP ROLE ${schema.name}_limited`)));
  const pool = schema.createPool({ connectionString: schema.url.replace('postgres@', `${schema.name}_limited@`) });
  await expect(createPostgresStore({ pool, name: 'db' }).findAccount('ada')).rejects.toMatchObject({
    code: 'unreachable',
    message: 'Failed to use db: it has too many connections. Use smaller pools, or try again.',
  });
});

test.each([
  ['lock_timeout=soon', /^Failed to use db: the server rejected a setting \(.*lock_timeout.*soon.*\)\. Check the opt/],
  ['no_such_setting=1', /^Failed to use db: the server rejected a setting \(.*no_such_setting.*\)\. Check the opt/],
])('the message for a server that rejects the setting %s names it', async (option, message) => {
  const store = createPostgresStore({ pool: schema.createPool({ connectionString: withOption(option) }), name: 'db' });
  await expect(store.findAccount('ada')).rejects.toMatchObject({
    code: 'server_error',
    message: expect.stringMatching(message),
  });
});

test('the message for an error without a code of its own has its SQLSTATE and the words of the server', async () => {
  await owner.query(`
    CREATE FUNCTION ${schema.name}.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not today''; END';
    CREATE TRIGGER refuse BEFORE INSERT ON memories EXECUTE FUNCTION ${schema.name}.refuse()`);
  const store = createPostgresStore({ pool: owner, name: 'db' });
  await expect(store.putMemories('ada', sampleRecords(1))).rejects.toMatchObject({
    code: 'server_error',
    message: 'Failed to use db: PostgreSQL reported an error (P0001: not today). Check the log of the server.',
  });
});

test('a port without TLS does not answer a TLS connection', async () => {
  const url = new URL(inject('postgresUrl'));
  const pool = schema.createPool({ connectionString: url.href, ssl: { rejectUnauthorized: false } });
  await expect(createPostgresStore({ pool, name: 'db' }).findAccount('ada')).rejects.toMatchObject({
    code: 'unreachable',
    message: 'Failed to use db: the server does not support TLS. Enable TLS on the server, or connect without TLS.',
  });
});

/** The URL of the schema with one more setting of the session. */
function withOption(option: string): string {
  return schema.url.replace('?options=', `?options=-c${encodeURIComponent(option)}%20`);
}
