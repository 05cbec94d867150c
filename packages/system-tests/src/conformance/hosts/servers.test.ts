import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInMemoryStore } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { onTestFinished, test } from 'vitest';
import { findRuntime } from '../../runtimes/find-runtime.ts';
import { checkHost } from './expect-conformance.ts';
import { serveStore } from './serve-store.ts';
import { type ServerRuntime, startHost } from './start-host.ts';

test('the server over the in-memory store keeps every rule and every decision', async () => {
  await using server = await serveStore(createInMemoryStore());
  await checkHost('node', { baseUrl: server.url });
});

test('the server over SQLite keeps every rule and every decision', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = openSqliteStore({ path: join(folder, 'memories.sqlite') });
  onTestFinished(() => store.close());
  await using server = await serveStore(store);
  await checkHost('sqlite', { baseUrl: server.url });
});

for (const runtime of ['bun', 'deno', 'workerd'] satisfies ServerRuntime[]) {
  test.runIf(findRuntime(runtime).path)(
    `the built server keeps every rule and every decision on ${runtime}`,
    async () => {
      await using host = await startHost(runtime);
      await checkHost(runtime, { baseUrl: host.url });
    },
  );
}
