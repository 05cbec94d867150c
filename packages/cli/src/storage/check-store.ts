import { unlessAborted } from '@memory-read/contract/event-loop';
import {
  apiKeyStoreCases,
  memoryStoreAdminCases,
  memoryStoreCases,
  type StoreCase,
  toStoreHarness,
} from '@memory-read/server/testing';
import { openPostgresStorage } from './open-postgres-storage.ts';
import type { PostgresDatabase } from './postgres-url.ts';
import type { Storage } from './storage.ts';
import { inTemporarySchema, readServerVersion, type TemporarySchemaOptions } from './temporary-schema.ts';

/** A rule of a store, and whether it holds on the database. */
export interface CheckedRule {
  /** Port that has the rule, such as `MemoryStore`. */
  suite: string;
  /** Sentence that states the rule. */
  title: string;
  holds: boolean;
  /** Time of the case with its schema. */
  elapsedMs: number;
  /** Why the rule does not hold. */
  error?: string;
}

export interface StoreCheck {
  /** Name and version of the server, in its own words. */
  server: string;
  /** Number of rules. */
  total: number;
  /** Checks one rule after the other, each in a schema of its own. */
  rules: AsyncIterable<CheckedRule>;
}

const suites = {
  MemoryStore: memoryStoreCases,
  MemoryStoreAdmin: memoryStoreAdminCases,
  ApiKeyStore: apiKeyStoreCases,
};

/** Enough for the cases, which send few statements in parallel. */
const poolSize = 4;

/**
 * Connects to the database, to check the rules of a store on it. A rule whose case takes longer than `limitMs` does not
 * hold.
 *
 * @throws PostgresStoreError if the database cannot be used. The rules throw it and CommandError too.
 */
export async function openStoreCheck(database: PostgresDatabase, options: TemporarySchemaOptions): Promise<StoreCheck> {
  const { interruption, limitMs } = options;
  const server = await readServerVersion(database, interruption);
  let storage: Storage;
  const cases = Object.entries(suites).flatMap(([suite, toCases]) =>
    toCases(async () => toStoreHarness(storage)).map((storeCase) => ({ ...storeCase, suite })),
  );

  /** Returns the error of the case. */
  async function run({ run }: StoreCase, own: PostgresDatabase): Promise<unknown> {
    const limit = AbortSignal.timeout(limitMs);
    const signal = AbortSignal.any([interruption, limit]);
    const opening = { canCreate: true, poolSize, interruption: signal, onNote() {} };
    try {
      storage = await openPostgresStorage(own, opening);
      // A case that took too long fails when its connections end.
      await unlessAborted(run(), signal).finally(() => storage.close());
      return undefined;
    } catch (error) {
      interruption.throwIfAborted();
      // Then no rule can hold.
      if (Object(error).code === 'wrong_encoding') throw error;
      return error === limit.reason ? new Error(`limit of ${limitMs / 1000} s`) : error;
    }
  }

  async function* rules(): AsyncGenerator<CheckedRule> {
    for (const storeCase of cases) {
      const { suite, title } = storeCase;
      const began = performance.now();
      const error = await inTemporarySchema(database, options, (own) => run(storeCase, own));
      const elapsedMs = Math.round(performance.now() - began);
      const holds = error === undefined;
      yield { suite, title, holds, elapsedMs, ...(!holds && { error: String(Object(error).message ?? error) }) };
    }
  }

  return { server, total: cases.length, rules: rules() };
}
