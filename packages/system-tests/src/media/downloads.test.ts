import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRandomBytes } from './random-bytes.ts';
import { startMediaApi } from './start-media-api.ts';
import { startStorage } from './start-storage.ts';

const bytes = createRandomBytes(300_000, 1);

beforeEach(() => {
  // Only the backoff is random. With this value, it is short.
  vi.spyOn(Math, 'random').mockReturnValue(0.000_001);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('the key and the headers of the client never reach the storage, even after cuts and expiries', async () => {
  await using storage = await startStorage({ bytes, etag: '"v1"' });
  await using api = await startMediaApi({ sign: () => storage.sign() });
  const plans = [{ cutAfter: 100_000 }, { status: 403 }, { status: 503 }, {}];
  storage.plan = () => plans.shift() ?? {};
  const { body } = await api.createClient({ headers: { 'x-team': 'TEAMSECRET' } }).openMedia('mem_1', 'audio');
  expect((await buffer(body)).equals(bytes)).toBe(true);
  expect(storage.requests).toHaveLength(4);
  for (const headers of storage.requests) {
    expect(JSON.stringify(headers)).not.toContain(api.key);
    expect(JSON.stringify(headers)).not.toContain('TEAMSECRET');
    expect(headers['accept-encoding']).toMatch(/^identity(, identity)?$/);
    for (const name of ['authorization', 'cookie', 'referer']) expect(headers).not.toHaveProperty(name);
  }
});

test('a body that is not read loads only what the network buffers, and ends when it is cancelled', async () => {
  const size = 100_000_000;
  await using storage = await startStorage({ bytes: Buffer.alloc(size), etag: '"v1"' });
  await using api = await startMediaApi({ sign: () => storage.sign() });
  const { body } = await api.createClient().openMedia('mem_1', 'audio');
  const reader = body.getReader();
  await reader.read();
  let before = -1;
  while (storage.traffic.sent > before) {
    before = storage.traffic.sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(storage.traffic).toMatchObject({ open: 1 });
  expect(storage.traffic.sent).toBeLessThan(size / 2);
  await reader.cancel();
  await vi.waitFor(() => expect(storage.traffic.open).toBe(0));
});
