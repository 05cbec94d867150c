import { buffer } from 'node:stream/consumers';
import { createHmacMediaSigner, createMediaHost } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createS3MediaSigner } from '@memory-read/server/s3';
import { createFakeClock } from '@memory-read/server/testing';
import { mediaFrom } from '@memory-read/test-kit/memory-service';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRandomBytes } from './random-bytes.ts';
import { startS3TestServer } from './s3/start-s3-test-server.ts';
import { audioKey, startMediaApi } from './start-media-api.ts';
import { startStorage } from './start-storage.ts';

const bytes = createRandomBytes(300_000, 1);
const now = '2026-11-20T12:00:00Z';

beforeEach(() => {
  // Only the backoff is random. With this value, it is short.
  vi.spyOn(Math, 'random').mockReturnValue(0.000_001);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A `fetch` that cuts the first bodies of a host after 100,000 bytes, and then behaves as configured. */
function breakBodies(host: string, times: number, onBreak: () => void = () => {}) {
  let broken = 0;
  return async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    if (!request.url.startsWith(host) || !response.ok || broken === times) return response;
    broken += 1;
    let received = 0;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        if (received <= 100_000) return controller.enqueue(chunk);
        onBreak();
        controller.error(new TypeError('terminated'));
      },
    });
    return new Response(response.body?.pipeThrough(cut), response);
  };
}

test('a download survives cuts and the expiry of its URL on the media host of the reference server', async () => {
  const clock = createFakeClock(now);
  const secrets = [{ id: 'a', secret: 'thirty-two-bytes-that-none-guess' }];
  const source = mediaFrom((key) => (key === audioKey ? bytes : undefined));
  const host = createMediaHost({ source, secrets, clock });
  const media = await serve({ fetch: host.fetch, port: 0 });
  await using api = await startMediaApi(createHmacMediaSigner({ baseUrl: media.url, secrets }), { clock });
  const client = api.createClient({ fetch: breakBodies(media.url, 2, () => clock.advance(3_600_000)) });

  const { body, size, contentType } = await client.openMedia('mem_1', 'audio');
  expect([size, contentType]).toEqual([300_000, 'audio/wav']);
  expect((await buffer(body)).equals(bytes)).toBe(true);
  expect(api.reads()).toBe(3);
  await media.close();
});

test('a download survives cuts and the expiry of its URL on a storage that verifies SigV4', async () => {
  const clock = createFakeClock(now);
  const account = {
    region: 'eu-central-1',
    bucket: 'media',
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a-secret/key+1', sessionToken: 'to/k+en==' },
  };
  await using storage = await startS3TestServer({ ...account, clock, objects: { [audioKey]: bytes } });
  const signer = createS3MediaSigner({ ...account, endpoint: storage.url, forcePathStyle: true, clock });
  await using api = await startMediaApi(signer, { clock });
  const client = api.createClient({ fetch: breakBodies(storage.url, 2, () => clock.advance(3_600_001)) });

  const { body, size, etag } = await client.openMedia('mem_1', 'audio');
  expect(size).toBe(300_000);
  expect((await buffer(body)).equals(bytes)).toBe(true);
  expect(api.reads()).toBe(3);
  const rest = await client.openMedia('mem_1', 'audio', { start: { byte: 299_000, etag: etag ?? '' } });
  expect((await buffer(rest.body)).equals(bytes.subarray(299_000))).toBe(true);
  // S3 sends no ETag with a 416, so nothing proves that the whole file is the same.
  const atEnd = client.openMedia('mem_1', 'audio', { start: { byte: 300_000, etag: etag ?? '' } });
  await expect(atEnd).rejects.toMatchObject({ code: 'media_download', reason: 'not_resumable', status: 416 });
});

test.each(['bearer', 'x-api-key'] as const)(
  'the %s key and the headers of the client never reach the storage, even after cuts and expiries',
  async (auth) => {
    await using storage = await startStorage({ bytes, etag: '"v1"' });
    await using api = await startMediaApi({ sign: () => storage.sign() });
    const plans = [{ cutAfter: 100_000 }, { status: 403 }, { status: 503 }, {}];
    storage.plan = () => plans.shift() ?? {};
    const client = api.createClient({ auth, headers: { 'x-team': 'TEAMSECRET' } });
    const { body } = await client.openMedia('mem_1', 'audio');
    expect((await buffer(body)).equals(bytes)).toBe(true);
    expect(storage.requests).toHaveLength(4);
    for (const request of storage.requests) {
      expect(JSON.stringify(request)).not.toContain(api.key);
      expect(JSON.stringify(request)).not.toContain('TEAMSECRET');
      expect(Object.keys(request)).not.toEqual(expect.arrayContaining(['authorization']));
      expect(request).toMatchObject({ 'accept-encoding': expect.stringMatching(/^identity(, identity)?$/) });
      expect(request).not.toHaveProperty('cookie');
      expect(request).not.toHaveProperty('referer');
    }
  },
);

test('does not follow a redirect of the storage', async () => {
  await using elsewhere = await startStorage({ bytes, etag: '"v1"' });
  const response = { status: 302, headers: { location: elsewhere.sign() } };
  await using api = await startMediaApi({ sign: () => 'http://127.0.0.1:9/x' });
  const send = async (request: Request) =>
    request.url.startsWith(api.url) ? fetch(request) : new Response(null, response);
  const call = api.createClient({ fetch: send }).openMedia('mem_1', 'audio');
  await expect(call).rejects.toMatchObject({ code: 'media_download', reason: 'refused', status: 302 });
  expect(elsewhere.requests).toHaveLength(0);
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
