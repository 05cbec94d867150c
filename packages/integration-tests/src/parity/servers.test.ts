import { createInMemoryStore } from '@memory-read/server';
import { onTestFinished, test } from 'vitest';
import { expectParity } from './expect-parity.ts';
import { startServerHost } from './hosts/start-server-host.ts';
import { startSqliteHost } from './hosts/start-sqlite-host.ts';

test('the server over the in-memory store answers as the golden files have it', async () => {
  const host = await startServerHost('server over the in-memory store', createInMemoryStore());
  onTestFinished(host.close);
  await expectParity(host);
});

test('the server over SQLite, below a path, answers as the golden files have it', async () => {
  const host = await startSqliteHost();
  onTestFinished(host.close);
  await expectParity(host);
});
