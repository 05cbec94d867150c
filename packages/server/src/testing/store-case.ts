import type { MemoryRecord } from '@memory-read/contract';

/** One rule that every store has to keep: `run` rejects with a sentence where it does not. */
export interface StoreCase {
  title: string;
  /** Makes a store, checks the rule, and closes the store. */
  run(): Promise<void>;
}

/** A fresh, empty store, and what a case needs beside it. */
export interface StoreHarness<Store> {
  store: Store;
  /** Makes the account if it is new, and adds these records to it. */
  seed(userId: string, records: readonly MemoryRecord[]): Promise<unknown>;
  /** Lets go of the store, also after a failure. */
  close(): Promise<void>;
}

/** Makes a store for one case; each case asks for its own. */
export type CreateStore<Store> = () => Promise<StoreHarness<Store>>;

/** Rules by their title. */
export type StoreRules<Store> = Record<string, (harness: StoreHarness<Store>) => Promise<void>>;

/** Each rule as a case that makes and closes a store of its own. */
export function toStoreCases<Store>(create: CreateStore<Store>, rules: StoreRules<Store>): StoreCase[] {
  return Object.entries(rules).map(([title, check]) => ({
    title,
    async run() {
      const harness = await create();
      try {
        await check(harness);
      } finally {
        await harness.close();
      }
    },
  }));
}
