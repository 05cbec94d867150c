import type { MemoryStore } from '../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../ports/memory-store-admin.ts';
import { accountRules } from './account-rules.ts';
import { changingRules } from './changing-rules.ts';
import { puttingRules } from './putting-rules.ts';
import { type CreateStore, type StoreCase, toStoreCases } from './store-case.ts';

/**
 * Returns a case for every rule of a `MemoryStoreAdmin`, read through the `MemoryStore` of the same object. See
 * {@link memoryStoreCases}.
 */
export function memoryStoreAdminCases(create: CreateStore<MemoryStore & MemoryStoreAdmin>): StoreCase[] {
  return toStoreCases(create, { ...accountRules, ...puttingRules, ...changingRules });
}
