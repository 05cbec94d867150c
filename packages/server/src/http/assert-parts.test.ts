import { expect, test } from 'vitest';
import { createInMemoryStore } from '../adapters/in-memory/create-in-memory-store.ts';
import { createMemoryApi } from '../create-memory-api.ts';

const parts = {
  store: createInMemoryStore(),
  authenticate: async () => undefined,
  mediaSigner: { sign: () => 'https://media.test/a' },
};

test.each([
  ['authenticate', {}],
  ['store.listMemories', { ...parts, store: null }],
  ['store.getMemory', { ...parts, store: { ...parts.store, getMemory: undefined } }],
  ['mediaSigner.sign', { ...parts, mediaSigner: () => 'https://media.test/a' }],
  ['clock.now', { ...parts, clock: Date.now }],
])('rejects an API at once if %s is not a function', (missing, options) => {
  expect(() => createMemoryApi(options as never)).toThrow(
    new TypeError(`Failed to create the API: ${missing} is not a function. Pass { store, authenticate, mediaSigner }.`),
  );
});
