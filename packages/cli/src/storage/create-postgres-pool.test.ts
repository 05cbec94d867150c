import { afterEach, expect, test, vi } from 'vitest';
import { startFakePostgres } from '../testing/fake-postgres.ts';
import { createPostgresPool } from './create-postgres-pool.ts';
import { parsePostgresUrl } from './postgres-url.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('closing takes a second if the server does not close its side, and leaves no connection open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = await startFakePostgres();
  const { pool, close } = createPostgresPool(parsePostgresUrl(server.href, {}), { onConnectionLost() {} });
  await pool.query('SELECT');
  // A socket that is not read does not see the end of the other side.
  for (const socket of server.sockets) socket.pause();
  let isClosed = false;
  const closing = close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(900);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  await closing;
});
