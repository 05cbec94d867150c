import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { createInMemoryStore } from '../adapters/in-memory/create-in-memory-store.ts';
import { exchange, startServer } from '../adapters/node/start-server.test-support.ts';
import { openTemporaryStore } from '../adapters/sqlite/temporary-store-file.test-support.ts';
import { apiKeyAuthenticator } from '../api-keys/api-key-authenticator.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { createMemoryApi } from '../create-memory-api.ts';
import type { ApiKeyStore } from '../ports/api-key-store.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../ports/memory-store-admin.ts';
import { createRecord } from '../testing/test-records.ts';

type Store = MemoryStore & MemoryStoreAdmin & ApiKeyStore;
type Below = [prototype: object, methods: string[]][];

/** Stores, each with the methods that it calls in the layer below. */
const stores: Record<string, { open: () => Store; below: Below }> = {
  'in memory': { open: createInMemoryStore, below: [[Map.prototype, ['get', 'has', 'values']]] },
  'in SQLite': {
    open: () => openTemporaryStore(),
    below: [
      [StatementSync.prototype, ['get', 'all', 'run', 'iterate']],
      [DatabaseSync.prototype, ['prepare', 'exec']],
    ],
  },
};

test.each(Object.keys(stores))(
  '%s, the response for a memory of another account equals that for an unknown one byte for byte',
  async (name) => {
    const { get } = await setUp(name);
    for (const method of ['GET', 'HEAD']) {
      const ofAnother = await get('grace_1', method);
      expect(ofAnother).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
      expect(ofAnother.endsWith('{"detail":"Memory not found"}')).toBe(method === 'GET');
      expect(ofAnother).toContain('x-request-id: same');
      expect(await get('nobody1', method)).toBe(ofAnother);
    }
  },
);

test.each(Object.keys(stores))('%s, looking up either takes the same steps', async (name) => {
  const { get, work } = await setUp(name);
  const workFor = async (memoryId: string) => {
    work.length = 0;
    expect(await get(memoryId)).toContain(' 404 ');
    return [...work];
  };
  // The first request prepares statements and caches, so it is not compared.
  await workFor('grace_0');
  const ofAnother = await workFor('grace_1');
  expect(await workFor('nobody1')).toEqual(ofAnother);
  expect(ofAnother.filter((step) => step.startsWith('store.'))).toEqual(['store.findApiKey', 'store.getMemory']);
  expect(ofAnother.length).toBeGreaterThan(3);
});

async function setUp(name: string) {
  const store = stores[name]?.open() ?? expect.unreachable();
  const { key, keyId, keyHash } = createApiKey();
  for (const userId of ['ada', 'grace']) await store.putAccount({ userId });
  await store.putApiKey({ keyId, keyHash, userId: 'ada' });
  await store.putMemories('grace', [createRecord({ id: 'grace_0' }), createRecord({ id: 'grace_1' })]);
  const work: string[] = [];
  const counting = watched(store, stores[name]?.below ?? [], work);
  const mediaSigner = { sign: () => expect.unreachable() };
  const api = createMemoryApi({ store: counting, authenticate: apiKeyAuthenticator(counting), mediaSigner });
  const { port } = await startServer(api.fetch);
  return { work, get: (memoryId: string, method = 'GET') => ask(port, method, memoryId, key) };
}

/** Wraps the store, so that each call adds a step before it returns. */
function watched(store: Store, below: Below, work: string[]): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      return (...args: unknown[]) => {
        work.push(`store.${name}`);
        for (const [prototype, methods] of below) for (const method of methods) watch(prototype, method, work);
        try {
          return Reflect.apply(target[name], target, args);
        } finally {
          vi.restoreAllMocks();
        }
      };
    },
  });
}

function watch(prototype: object, method: string, work: string[]): void {
  const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
  const original = methods[method] ?? expect.unreachable();
  vi.spyOn(methods, method).mockImplementation(function (this: unknown, ...args: unknown[]) {
    work.push(this instanceof StatementSync ? `${method} ${this.sourceSQL.trim()}` : method);
    return Reflect.apply(original, this, args);
  });
}

/** Returns the whole response except its date. */
async function ask(port: number, method: string, memoryId: string, key: string): Promise<string> {
  const head = [`${method} /v1/memories/${memoryId} HTTP/1.1`, 'Host: a', `X-API-Key: ${key}`, 'X-Request-Id: same'];
  const answer = await exchange(port, [...head, 'Connection: close', '', ''].join('\r\n'));
  return answer.replace(/\r\nDate: [^\r]+/, '');
}
