import { join } from 'node:path';
import { createInMemoryStore } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { onTestFinished, test } from 'vitest';
import { expectParity } from './expect-parity.ts';
import { startServerHost } from './hosts/start-server-host.ts';

test('the server over the in-memory store answers as the golden files have it', async () => {
  const host = await startServerHost('server over the in-memory store', createInMemoryStore());
  onTestFinished(host.close);
  await expectParity(host);
});

test('the server over SQLite, below a path, answers as the golden files have it', async () => {
  const store = openSqliteStore({ path: join(makeFolder(), 'memories.sqlite') });
  onTestFinished(() => store.close());
  const host = await startServerHost('server over SQLite', store, '/api');
  onTestFinished(host.close);
  await expectParity(host);
});
