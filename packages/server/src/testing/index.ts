/**
 * Tests stores, and servers with a clock of their own, in any test runner.
 *
 * @packageDocumentation
 */

// The shared suites of the ports
export { apiKeyStoreCases } from './api-key-store-cases.ts';
export { createFakeClock, type FakeClock } from './create-fake-clock.ts';
export { memoryStoreAdminCases } from './memory-store-admin-cases.ts';
export { memoryStoreCases } from './memory-store-cases.ts';
export type { CreateStore, StoreCase, StoreHarness } from './store-case.ts';
export { toStoreHarness } from './to-store-harness.ts';
