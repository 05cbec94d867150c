import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

const source = '@memory-read/source';
// Node does not support the condition `module`, and files under it need not run in Node.
const serverConditions = defaultServerConditions.filter((condition) => condition !== 'module');

// Compilation takes half of the time of a short process, and tests start thousands of them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

// Long enough for a busy machine. No test depends on these timeouts to fail.
const timeouts = {
  setupFiles: ['packages/system-tests/src/wait-timeouts.ts', 'packages/system-tests/src/message-grammar.ts'],
  testTimeout: 120_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
};

// Tests run on the sources, so `npm run test:unit` needs no build.
const resolve = {
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...serverConditions] } },
};

const systemTests = 'packages/system-tests/src/**';
// These tests share one PostgreSQL server, which is stopped after the run.
const postgresTests = [`${systemTests}/postgres/*.test.ts`, `{${systemTests},docs/code}/*.postgres.test.ts`];

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        ...resolve,
        test: {
          ...timeouts,
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: ['packages/system-tests/**'],
        },
      },
      {
        ...resolve,
        test: { ...timeouts, name: 'examples', include: ['examples/*/**/*.test.{ts,tsx}'] },
      },
      {
        // Runs the tests of the mock again, with the older major version of MSW.
        resolve: { ...resolve.resolve, alias: [{ find: /^msw(?=\/|$)/, replacement: 'msw-2' }] },
        ssr: resolve.ssr,
        test: {
          ...timeouts,
          name: 'msw-2',
          include: ['packages/msw/src/**/*.test.ts', `${systemTests}/*.msw.test.ts`],
        },
      },
      {
        ...resolve,
        test: {
          ...timeouts,
          name: 'system',
          include: [`{${systemTests},docs/code}/*.test.{ts,tsx}`],
          exclude: [`${systemTests}/*.{full,clone}.test.ts`, ...postgresTests],
        },
      },
      {
        ...resolve,
        test: {
          ...timeouts,
          name: 'postgres',
          include: postgresTests,
          globalSetup: 'packages/system-tests/src/server/postgres/global-setup.ts',
        },
      },
      { ...resolve, test: { ...timeouts, name: 'full', include: [`${systemTests}/*.full.test.ts`] } },
      { ...resolve, test: { ...timeouts, name: 'clone', include: [`${systemTests}/*.clone.test.ts`] } },
    ],
  },
});
