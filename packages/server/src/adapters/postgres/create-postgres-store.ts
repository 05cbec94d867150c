import { longestTimer } from '@memory-read/contract/event-loop';
import { refuseNumber } from '@memory-read/contract/options';
import { assertOptions } from '../../assert-options.ts';
import type { ApiKeyStore } from '../../ports/api-key-store.ts';
import type { MemoryStore } from '../../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { createPostgresAccounts } from './postgres-accounts.ts';
import { createPostgresApiKeys } from './postgres-api-keys.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { createPostgresMemoryReader } from './postgres-memory-reader.ts';
import { createPostgresMemoryWriter } from './postgres-memory-writer.ts';
import { type PostgresPool, poolMethods } from './postgres-pool.ts';
import type { PostgresReplicas } from './replicas/postgres-replicas.ts';

/** Options of {@link createPostgresStore}. */
export interface PostgresStoreOptions {
  /**
   * Pool of the `pg` package, or an object with the same methods. You configure it and close it.
   *
   * If the pool has no `statement_timeout` or `query_timeout`, only the statements of `putMemories` have a limit.
   *
   * Your parsers of types, such as `types.setTypeParser(20, BigInt)` of `pg`, do not affect the store. Only a parser of
   * the type `text` does, and it must return the text.
   */
  pool: PostgresPool;
  /**
   * Maximum time for one statement of `putMemories`, in milliseconds. Default: 30,000.
   *
   * It includes the time that the statement waits for other writers, and replaces the pool's `statement_timeout`.
   */
  statementTimeout?: number | undefined;
  /**
   * Replicas that `findApiKey`, `getMemory` and `listMemories` read from. Every other call uses the pool. Default: none,
   * so that these use it too.
   */
  replicas?: PostgresReplicas | undefined;
  /** Name of the database in messages, without a secret. Default: `the PostgreSQL store`. */
  name?: string | undefined;
}

/**
 * Creates a store in a PostgreSQL database whose tables {@link migratePostgresStore} has created.
 *
 * Any number of processes can share it. A list reads pages of 200 and holds no connection between them. `putMemories`
 * holds one connection with a transaction until its last record is stored. If its source of records is slow, other
 * writers of the same memories wait.
 *
 * Every other call is one statement, limited by the pool's `statement_timeout`. If a pooler in front of PostgreSQL
 * rejects that option, set `query_timeout`.
 *
 * If the reader of a list stops, or its `signal` aborts, no further page is read. A page that is being read is read to
 * its end, because a pool cannot cancel a statement.
 *
 * All methods reject with {@link PostgresStoreError} if PostgreSQL cannot be used. After code `conflict`, `timeout` or
 * `unreachable` you can retry the call.
 *
 * @throws RangeError if `statementTimeout` is not a whole number of milliseconds from 1.
 *
 * @example
 * ```ts
 * const store = createPostgresStore({ pool, statementTimeout: 5_000 });
 * const memory = await store.getMemory({ userId: 'user_1', memoryId: records[0]?.id ?? '' });
 * console.log(memory?.name);
 * ```
 */
export function createPostgresStore(options: PostgresStoreOptions): MemoryStore & MemoryStoreAdmin & ApiKeyStore {
  assertOptions('create a PostgreSQL store', options, partsOfStore, 'Pass { pool }');
  const { pool, name = 'the PostgreSQL store', statementTimeout = 30_000, replicas } = options;
  assertTimeout(statementTimeout);
  const database = createPostgresDatabase({ pool, name, statementTimeout, replicas });
  return {
    ...createPostgresMemoryReader(database),
    ...createPostgresAccounts(database),
    ...createPostgresMemoryWriter(database),
    ...createPostgresApiKeys(database),
  };
}

const partsOfStore = { ...poolMethods, 'statementTimeout?': 'any', 'replicas?': 'any', 'name?': 'any' } as const;

function assertTimeout(statementTimeout: number): void {
  const refused = refuseNumber('statementTimeout', statementTimeout, [1, longestTimer]);
  if (refused) throw new RangeError(`Failed to create a PostgreSQL store: ${refused.reason}. ${refused.advice}.`);
}
