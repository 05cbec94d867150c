import { expect, test } from 'vitest';
import { createHmacMediaSigner } from './create-hmac-media-signer.ts';
import { createMediaHost } from './create-media-host.ts';
import type { MediaCors } from './media-cors.ts';

const secrets = [{ id: 'main', secret: 'a secret of at least 16 bytes' }];
const now = new Date('2026-11-20T12:00:00Z');
const url = createHmacMediaSigner({ baseUrl: 'https://media.example.com', secrets }).sign({
  objectKey: 'a.wav',
  contentType: 'audio/wav',
  expiresAt: new Date('2026-11-20T13:00:00Z'),
});
const app = 'https://app.example.com';

async function corsAnswer(cors: MediaCors | undefined, { method = 'GET', origin = '', to = url } = {}) {
  const object = { size: 0, etag: '"v1"', stream: () => new Blob().stream() };
  const host = createMediaHost({ source: { open: async () => object }, secrets, clock: { now: () => now }, cors });
  const response = await host.fetch(new Request(to, { method, headers: origin ? { origin } : {} }));
  const corsHeaders = [...response.headers].filter(([name]) => /^(access-control-|vary$|allow$)/.test(name));
  return { status: response.status, ...Object.fromEntries(corsHeaders) };
}

const exposed = { 'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag' };
const preflight = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Range, If-Range, If-Match, If-None-Match',
  'access-control-max-age': '600',
};

test('without CORS, no response has its headers, and a preflight is a 405', async () => {
  for (const cors of [undefined, false]) {
    expect(await corsAnswer(cors, { origin: app })).toEqual({ status: 200 });
    expect(await corsAnswer(cors, { origin: app, method: 'OPTIONS' })).toEqual({ status: 405, allow: 'GET, HEAD' });
  }
});

test('CORS for all origins is the same for each, including errors and preflights', async () => {
  const everyone = { 'access-control-allow-origin': '*', ...exposed };
  expect(await corsAnswer(true, { origin: app })).toEqual({ status: 200, ...everyone });
  expect(await corsAnswer(true)).toEqual({ status: 200, ...everyone });
  expect(await corsAnswer(true, { to: `${url}x` })).toEqual({ status: 403, ...everyone });
  expect(await corsAnswer(true, { method: 'OPTIONS' })).toEqual({ status: 204, ...everyone, ...preflight });
  expect(await corsAnswer(true, { method: 'PUT' })).toEqual({ status: 405, ...everyone, allow: 'GET, HEAD, OPTIONS' });
});

test('CORS for some origins names the origin of the request, and varies by it in caches', async () => {
  const cors = { origins: ['http://localhost:5173', app] };
  const theApp = { 'access-control-allow-origin': app, ...exposed, vary: 'Origin' };
  expect(await corsAnswer(cors, { origin: app })).toEqual({ status: 200, ...theApp });
  expect(await corsAnswer(cors, { origin: app, to: `${url}x` })).toEqual({ status: 403, ...theApp });
  expect(await corsAnswer(cors, { origin: app, method: 'OPTIONS' })).toEqual({ status: 204, ...theApp, ...preflight });
});

test('CORS for some origins allows no others', async () => {
  for (const origin of ['https://evil.example', `${app}.evil.example`, 'http://app.example.com', 'null', '']) {
    expect(await corsAnswer({ origins: [app] }, { origin })).toEqual({ status: 200, vary: 'Origin' });
  }
});

test('a preflight does not reveal whether a URL is valid', async () => {
  const [valid, changed] = [url, `${url}x`].map((to) => corsAnswer(true, { method: 'OPTIONS', to }));
  expect(await changed).toEqual(await valid);
});

test.each(['*', 'null', 'app.example.com', 'https://app.example.com/', 'https://App.example.com', 'ftp://a.example'])(
  'rejects the origin %j',
  async (origin) => {
    await expect(corsAnswer({ origins: [origin] })).rejects.toThrow(
      `Failed to create a media host: ${JSON.stringify(origin)} is not an origin.`,
    );
  },
);
