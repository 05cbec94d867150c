/**
 * The mock in tests on Node: Vitest, Jest and node:test.
 *
 * @packageDocumentation
 */
export { type SetupMemoryMockOptions, setupMemoryMock } from './setup-memory-mock.ts';
export type { TestHooks } from './test-hooks.ts';
