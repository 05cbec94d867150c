import type { MemoryStore } from '../ports/memory-store.ts';
import { gettingRules } from './getting-rules.ts';
import { listingRules } from './listing-rules.ts';
import { type CreateStore, type StoreCase, toStoreCases } from './store-case.ts';

/**
 * Every rule of a `MemoryStore` as a case to run in any test runner; each makes and closes a store of its own.
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
