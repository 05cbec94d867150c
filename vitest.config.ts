import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { folderInMemory } from './packages/test-kit/src/folder-in-memory.ts';

const source = '@memory-read/source';
// Node does not support the condition `module`, and files under it need not run in Node.
const serverConditions = defaultServerConditions.filter((condition) => condition !== 'module');

// Compilation takes half of the time of a short process, and tests start thousands of them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));
// Databases wait for the disk at each change, and tests make thousands of changes. Tests of installations stay on the disk
// of the repository, where pnpm has its store.
const testsInMemory = ['unit', 'isolated', 'integration', 'mirror'];
const TMPDIR = process.env.TMPDIR ?? folderInMemory();

const systemTests = 'packages/system-tests/src/**';
// `full` takes longest, so these run in a suite beside it.
const mirrorTests = 'packages/system-tests/src/mirror/{killed-*,random-names}.full.test.ts';
const integrationTests = 'packages/integration-tests/src/**';

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      // What `npm test` runs.
      // Its files share the modules of their worker. A file that mocks a module has a worker of its own.
      project('unit', {
        include: ['packages/*/src/**/*.test.ts'],
        exclude: ['packages/{benchmarks,integration-tests,system-tests}/**', '**/*.{full,isolated}.test.ts'],
        isolate: false,
      }),
      project('isolated', { include: ['packages/*/src/**/*.isolated.test.ts'] }),
      project('integration', {
        include: [`${integrationTests}/*.test.ts`, 'docs/code/*.test.{ts,tsx}'],
        exclude: ['**/*.postgres.test.ts'],
      }),
      postgresProject('store', [`${integrationTests}/*.postgres.test.ts`]),
      // What `npm run test:full` adds.
      project('examples', { include: ['examples/*/**/*.test.{ts,tsx}', 'packages/benchmarks/src/**/*.test.ts'] }),
      withOlderMsw(
        project('msw-2', { include: ['packages/msw/src/**/*.test.ts', `packages/*-tests/src/**/*.msw.test.ts`] }),
      ),
      project('system', {
        include: [`${systemTests}/*.test.{ts,tsx}`],
        exclude: [`${systemTests}/*.{full,clone,postgres}.test.ts`, `${systemTests}/postgres/*.test.ts`],
      }),
      postgresProject('postgres', [
        `${systemTests}/postgres/*.test.ts`,
        `${systemTests}/*.postgres.test.ts`,
        'docs/code/*.postgres.test.ts',
      ]),
      project('full', { include: [`${systemTests}/*.full.test.ts`], exclude: [mirrorTests] }),
      project('mirror', { include: ['packages/mirror/src/**/*.full.test.ts', mirrorTests] }),
      project('clone', { include: [`${systemTests}/*.clone.test.ts`] }),
    ],
  },
});

/** Tests run on the sources, so most of them need no build. */
function project(
  name: string,
  { exclude = [], ...test }: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration {
  return {
    resolve: { conditions: [source, ...defaultClientConditions] },
    ssr: { resolve: { conditions: [source, ...serverConditions] } },
    test: {
      name,
      // A local time that a test expects must not depend on the machine.
      env: { TZ: 'UTC', ...(TMPDIR !== undefined && testsInMemory.includes(name) && { TMPDIR }) },
      exclude: ['**/node_modules/**', ...exclude],
      setupFiles: ['wait-timeouts', 'message-grammar', 'restore'].map(
        (setup) => `packages/test-kit/src/setup/${setup}.ts`,
      ),
      // Long enough for a busy machine. No test depends on these timeouts to fail.
      testTimeout: 120_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 30_000 } },
      ...test,
    },
  };
}

/** These tests share one PostgreSQL server, which is stopped after the run. */
function postgresProject(name: string, include: string[]): TestProjectInlineConfiguration {
  return project(name, { include, globalSetup: 'packages/test-kit/src/postgres/global-setup.ts' });
}

/** Runs tests of the mock again, with the older major version of MSW. */
function withOlderMsw(tests: TestProjectInlineConfiguration): TestProjectInlineConfiguration {
  return { ...tests, resolve: { ...tests.resolve, alias: [{ find: /^msw(?=\/|$)/, replacement: 'msw-2' }] } };
}
