import type { ApiKeyStore } from '../../ports/api-key-store.ts';
import type { MemoryStore } from '../../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { createPostgresAccounts } from './postgres-accounts.ts';
import { createPostgresApiKeys } from './postgres-api-keys.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { createPostgresMemoryReader } from './postgres-memory-reader.ts';
import { createPostgresMemoryWriter } from './postgres-memory-writer.ts';
import type { PostgresPool } from './postgres-pool.ts';

/** Of what {@link createPostgresStore} is made. */
export interface PostgresStoreOptions {
  /**
   * Yours to configure and to end: a `Pool` of the `pg` package, or anything of its shape. Without a
   * `statement_timeout` or `query_timeout` of its own, no statement but those of `putMemories` has a limit.
   */
  pool: PostgresPool;
  /**
   * Milliseconds that one statement of `putMemories` may take, waiting for other writers included, in place of the
   * pool's `statement_timeout`; 30,000 by default.
   */
  statementTimeout?: number | undefined;
  /** How messages call the database, without a secret; `the PostgreSQL store` by default. */
  name?: string | undefined;
}

/**
 * The store in a PostgreSQL database whose tables {@link migratePostgresStore} made.
 *
 * Any number of replicas may use it. A list reads pages of 200 and holds no connection between them. `putMemories`
 * holds one connection with a transaction until its last record is stored; a slow source of records makes other
 * writers of the same memories wait. All other calls are one statement each, which the pool's own `statement_timeout`
 * limits, or its `query_timeout` where a pooler in front of PostgreSQL refuses the other.
 *
 * A list whose reader leaves, or whose `signal` aborts, reads no further page. A page that is being read then is read
 * to its end or to its limit, because a pool cannot cancel a statement; its memories go nowhere.
 *
 * All methods reject with a `PostgresStoreError` where PostgreSQL cannot be used. With code `conflict` or `timeout`
 * the same call can be made again.
 *
 * @throws RangeError when `statementTimeout` is no whole number of milliseconds from 1 on.
 *
 * @example
 * ```ts
 * const store = createPostgresStore({ pool, statementTimeout: 5_000 });
 * const memory = await store.getMemory({ userId: 'user_1', memoryId: records[0]?.id ?? '' });
 * console.log(memory?.name);
 * ```
 */
export function createPostgresStore(options: PostgresStoreOptions): MemoryStore & MemoryStoreAdmin & ApiKeyStore {
  const { pool, name = 'the PostgreSQL store', statementTimeout = 30_000 } = options;
  assertTimeout(statementTimeout);
  const database = createPostgresDatabase({ pool, name, statementTimeout });
  return {
    ...createPostgresMemoryReader(database),
    ...createPostgresAccounts(database),
    ...createPostgresMemoryWriter(database),
    ...createPostgresApiKeys(database),
  };
}

function assertTimeout(statementTimeout: number): void {
  if (Number.isInteger(statementTimeout) && statementTimeout >= 1 && statementTimeout < 2 ** 31) return;
  throw new RangeError(
    `Failed to create a PostgreSQL store: because statementTimeout is ${statementTimeout}. Pass whole milliseconds from 1 to 2147483647.`,
  );
}
