import { buffer } from 'node:stream/consumers';
import { createHmacMediaSigner, createMediaHost } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createFakeClock } from '@memory-read/server/testing';
import { mediaFrom } from '@memory-read/test-kit/memory-service';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRandomBytes } from './random-bytes.ts';
import { audioKey, startMediaApi } from './start-media-api.ts';
import { startStorage } from './start-storage.ts';

const bytes = createRandomBytes(300_000, 1);

beforeEach(() => {
  // Only the backoff is random. With this value, it is short.
  vi.spyOn(Math, 'random').mockReturnValue(0.000_001);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('a download survives cuts and the expiry of its URL on the media host of the reference server', async () => {
  const clock = createFakeClock('2026-11-20T12:00:00Z');
  const secrets = [{ id: 'a', secret: 'thirty-two-bytes-that-none-guess' }];
  const source = mediaFrom((key) => (key === audioKey ? bytes : undefined));
  const host = createMediaHost({ source, secrets, clock });
  const media = await serve({ fetch: host.fetch, port: 0 });
  await using api = await startMediaApi(createHmacMediaSigner({ baseUrl: media.url, secrets }), { clock });
  let cuts = 0;
  const client = api.createClient({
    async fetch(request) {
      const response = await fetch(request);
      if (!request.url.startsWith(media.url) || !response.ok || cuts === 2) return response;
      cuts += 1;
      return new Response(response.body?.pipeThrough(cutAfter(100_000, () => clock.advance(3_600_000))), response);
    },
  });
  const { body, size, contentType } = await client.openMedia('mem_1', 'audio');
  expect([size, contentType]).toEqual([300_000, 'audio/wav']);
  expect((await buffer(body)).equals(bytes)).toBe(true);
  expect(api.reads()).toBe(3);
  await media.close();
});

function cutAfter(limit: number, onCut: () => void) {
  let received = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      if (received <= limit) return controller.enqueue(chunk);
      onCut();
      controller.error(new TypeError('terminated'));
    },
  });
}

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
