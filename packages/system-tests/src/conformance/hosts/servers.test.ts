import { join } from 'node:path';
import { createInMemoryStore } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, onTestFinished, test } from 'vitest';
import { findRuntime } from '../../runtimes/find-runtime.ts';
import { checkHost, checkStore } from './expect-conformance.ts';
import { startHost } from './start-host.ts';

const folder = makeFolder(afterAll);

test('the server over the in-memory store keeps every rule and every decision', async () => {
  await checkStore('node', createInMemoryStore());
});

test('the server over SQLite keeps every rule and every decision', async () => {
  const store = openSqliteStore({ path: join(folder, 'memories.sqlite') });
  onTestFinished(() => store.close());
  await checkStore('sqlite', store);
});

for (const runtime of ['bun', 'deno', 'workerd'] as const) {
  test.runIf(findRuntime(runtime).path)(
    `the built server keeps every rule and every decision on ${runtime}`,
    async () => {
      await using host = await startHost(runtime, folder);
      await checkHost(runtime, host.url);
    },
  );
}
