import type { MemoryStore } from '../ports/memory-store.ts';
import { gettingRules } from './getting-rules.ts';
import { listingRules } from './listing-rules.ts';
import { type CreateStore, type StoreCase, toStoreCases } from './store-case.ts';

/**
 * Returns a case for every rule of a `MemoryStore`, to run in any test runner.
 *
 * Each case creates and closes a store of its own.
 *
 * @example
 * ```ts
 * const createStore = async () => toStoreHarness(createInMemoryStore());
 * for (const { title, run } of memoryStoreCases(createStore)) test(title, run);
 * ```
 */
export function memoryStoreCases(create: CreateStore<MemoryStore>): StoreCase[] {
  return toStoreCases(create, { ...listingRules, ...gettingRules });
}
