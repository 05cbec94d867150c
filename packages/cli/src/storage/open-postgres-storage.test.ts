import { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { startMutePostgres, startSilentPostgres } from '../testing/fake-postgres.ts';
import { openPostgresStorage } from './open-postgres-storage.ts';
import { parsePostgresUrl } from './postgres-url.ts';

const onNote = () => {};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('connecting takes at most 5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { href, connected } = await startSilentPostgres();
  let isSettled = false;
  const opening = openPostgresStorage(parsePostgresUrl(href, {}), { canCreate: true, onNote }).finally(
    () => (isSettled = true),
  );
  const failed = expect(opening).rejects.toMatchObject({ name: 'PostgresStoreError', code: 'unreachable' });
  await connected;
  await vi.advanceTimersByTimeAsync(4_900);
  expect(isSettled).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  await turns(() => isSettled);
  expect(isSettled).toBe(true);
  await failed;
});

test('a read takes at most 5 seconds, and a silent connection is checked after 10', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const server = await startMutePostgres();
  const asked = Promise.withResolvers<void>();
  server.responds = () => {
    asked.resolve();
    return false;
  };
  let isSettled = false;
  const opening = openPostgresStorage(parsePostgresUrl(server.href, {}), { canCreate: false, onNote });
  const failed = expect(opening.finally(() => (isSettled = true))).rejects.toMatchObject({ code: 'timeout' });
  await asked.promise;
  expect(keepAlive.mock.lastCall).toEqual([true, 10_000]);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(isSettled).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  await turns(() => isSettled);
  expect(isSettled).toBe(true);
  await failed;
});

/** Lets sockets close. `expect.poll` would advance the timers. */
async function turns(isEnough: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !isEnough(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
