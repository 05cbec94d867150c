import { createMemoryApi, type MemoryStore } from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import type { TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import type { Pool, PoolConfig } from 'pg';
import { onTestFinished } from 'vitest';

/** The API over HTTP for the memories of ada in a PostgreSQL store, in this process, with observations for tests. */
export interface ServedStore {
  server: RunningServer;
  store: ReturnType<typeof createPostgresStore>;
  pool: Pool;
  /** Returns the number of requested pages of all lists together. */
  pages(): number;
  /** Resolves when the store's iteration of a list has ended. */
  listEnded: Promise<void>;
  /** Resolves when the server notices that the client of a list has disconnected. */
  callerLeft: Promise<void>;
  /** Errors that the API reported. */
  errors: unknown[];
}

export interface ServedStoreOptions {
  pool?: PoolConfig | undefined;
  statementTimeout?: number | undefined;
  /** Awaited before the statement of a page is sent. The first page has number 1. */
  beforePage?: ((page: number) => Promise<void>) | undefined;
}

export async function serveStore(schema: TestSchema, options: ServedStoreOptions = {}): Promise<ServedStore> {
  // The limits of the pool under test do not apply to the preparation, which can be slow on a busy machine.
  const unlimited = schema.createPool();
  await migratePostgresStore({ pool: unlimited });
  await createPostgresStore({ pool: unlimited }).putAccount({ userId: 'ada' });
  const pool = schema.createPool(options.pool);
  let pages = 0;
  const store = createPostgresStore({
    statementTimeout: options.statementTimeout,
    pool: {
      connect: () => pool.connect(),
      async query(text, values) {
        if (text.includes('LIMIT (SELECT 200)')) {
          pages += 1;
          await options.beforePage?.(pages);
        }
        return pool.query(text, values);
      },
    },
  });
  const [ended, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* listMemories(query: Parameters<MemoryStore['listMemories']>[0]) {
    query.signal?.addEventListener('abort', () => left.resolve());
    try {
      yield* store.listMemories(query);
    } finally {
      ended.resolve();
    }
  }
  const errors: unknown[] = [];
  const api = createMemoryApi({
    store: { ...store, listMemories },
    authenticate: async () => ({ userId: 'ada' }),
    mediaSigner: { sign: () => 'https://media.example/' },
    onError: (error) => errors.push(error),
  });
  const server = await serve({ fetch: api.fetch, port: 0, closeTimeout: 1 });
  onTestFinished(() => server.close());
  return { server, store, pool, pages: () => pages, listEnded: ended.promise, callerLeft: left.promise, errors };
}
