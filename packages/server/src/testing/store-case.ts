import type { MemoryRecord } from '@memory-read/contract';
import { assertParts } from '../assert-options.ts';

/** One rule of a store as a test. */
export interface StoreCase {
  /** Sentence that states the rule, for the name of the test. */
  title: string;
  /** Creates a store, checks the rule, and closes the store. It rejects if the store breaks the rule. */
  run(): Promise<void>;
}

/** A new, empty store with what a case needs. */
export interface StoreHarness<Store> {
  /** The store under test. */
  store: Store;
  /** Creates the account if it is new, and adds the records to it. */
  seed(userId: string, records: readonly MemoryRecord[]): Promise<unknown>;
  /** Closes the store. It is also called after a failure. */
  close(): Promise<void>;
}

/** Creates a store for one case. Each case calls it once. */
export type CreateStore<Store> = () => Promise<StoreHarness<Store>>;

/** Rules by their title. */
export type StoreRules<Store> = Record<string, (harness: StoreHarness<Store>) => Promise<void>>;

/** Returns each rule as a case that creates and closes a store of its own. */
export function toStoreCases<Store>(create: CreateStore<Store>, rules: StoreRules<Store>): StoreCase[] {
  assertParts('list the cases of a store', { create }, { create: 'function' }, 'Pass a function that creates a store');
  return Object.entries(rules).map(([title, check]) => ({
    title,
    async run() {
      const harness = await create();
      assertParts('run a case of a store', harness, partsOfHarness, 'Return { store, seed, close }');
      try {
        await check(harness);
      } finally {
        await harness.close();
      }
    },
  }));
}

const partsOfHarness = { store: 'object', seed: 'function', close: 'function' } as const;
