import { createHash, randomUUID } from 'node:crypto';
import { createMemories } from '@memory-read/fixtures';
import type { ApiKeyStore, MemoryStore, MemoryStoreAdmin } from '@memory-read/server';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '@memory-read/server/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

/** Stores memories in the shard of their account. The directory has all accounts and all API keys. */
function createShardedStore(
  directory: ApiKeyStore & Pick<MemoryStoreAdmin, 'putAccount' | 'findAccount'>,
  shards: readonly (MemoryStore & MemoryStoreAdmin)[],
): MemoryStore & MemoryStoreAdmin & ApiKeyStore {
  const shardOf = (userId: string) => {
    const hash = createHash('sha256').update(userId).digest().readUInt32BE();
    const shard = shards[hash % shards.length];
    if (!shard) throw new RangeError('Failed to find the shard of an account: there are no shards. Pass at least one.');
    return shard;
  };
  return {
    ...directory,
    async putAccount(account) {
      // The directory comes last, so that an account with a key always has a shard.
      await shardOf(account.userId).putAccount(account);
      await directory.putAccount(account);
    },
    listMemories: (query) => shardOf(query.userId).listMemories(query),
    getMemory: (query) => shardOf(query.userId).getMemory(query),
    putMemories: (userId, records) => shardOf(userId).putMemories(userId, records),
    finishProcessing: (userId, memoryId, result) => shardOf(userId).finishProcessing(userId, memoryId, result),
    deleteMemory: (userId, memoryId) => shardOf(userId).deleteMemory(userId, memoryId),
  };
}

const databases = ['directory', 'shard_0', 'shard_1'].map((name) => `${name}_${randomUUID().slice(0, 8)}`);
const urls = databases.map((pathname) => Object.assign(new URL(inject('postgresUrl')), { pathname }).href);
const [directoryUrl = '', ...shardUrls] = urls;
const administrator = new Pool({ connectionString: inject('postgresUrl') });

beforeAll(async () => {
  for (const name of databases) await administrator.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  store = await openStore();
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  for (const name of databases) await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await administrator.end();
});

const pools: Pool[] = [];
let store: Awaited<ReturnType<typeof openStore>>;

async function openStore() {
  const open = async (connectionString: string) => {
    const pool = new Pool({ connectionString, max: 5, statement_timeout: 10_000 });
    pool.on('error', ({ message }) => console.error(message));
    pools.push(pool); // end them when the server closes
    await migratePostgresStore({ pool });
    return createPostgresStore({ pool });
  };
  const directory = await open(directoryUrl);
  const shards = await Promise.all(shardUrls.map(open));
  return createShardedStore(directory, shards);
}

// The accounts ada and grace of the cases are in different shards.
const needOneDatabase = [
  'refuses the id of another account and stores nothing of the batch',
  'puts several batches at once, each as a whole',
];

for (const { title, run } of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases].flatMap((all) =>
  all(createHarness),
)) {
  if (!needOneDatabase.includes(title)) test(title, run);
  else {
    test(`an id is unique in its shard only, so this case fails: ${title}`, async () => {
      await expect(run()).rejects.toThrow(/id of another account is accepted|put one id at once do not get it once/);
    });
  }
}

test('two accounts in different shards have a memory with the same id, and read only their own', async () => {
  await createHarness();
  const [record] = createMemories({ count: 1, seed: 7, now: '2026-01-01T00:00:00Z' });
  if (!record) throw new Error('The fixtures are missing.');
  for (const userId of ['ada', 'grace']) {
    await store.putAccount({ userId });
    await store.putMemories(userId, [{ ...record, name: userId }]);
  }
  for (const userId of ['ada', 'grace']) {
    const own = { id: record.id, name: userId };
    expect(await store.getMemory({ userId, memoryId: record.id })).toMatchObject(own);
    const listed: unknown[] = [];
    for await (const memory of store.listMemories({ userId })) listed.push(memory);
    expect(listed).toMatchObject([own]);
  }
});

/** The sharded store over empty tables. */
async function createHarness() {
  for (const pool of pools) await pool.query('TRUNCATE accounts, memories, api_keys');
  return toStoreHarness(store);
}
