import { Hono } from 'hono';
import { mount } from 'hono/mount';
import { expect, test } from 'vitest';
import { createHmacMediaSigner } from './create-hmac-media-signer.ts';
import { createMediaHost } from './create-media-host.ts';

const secrets = [{ id: '1', secret: 'a secret of enough bytes' }];
const baseUrl = 'https://api.example.com/media';
const source = { open: async () => ({ size: 5, etag: '"1"', stream: () => new Blob(['sound']).stream() }) };
const options = { source, secrets };
const inFolder = createMediaHost({ ...options, basePath: '/media' });
const atRoot = createMediaHost(options);

/** Names with every visible character of ASCII, and what a second decoding or encoding would change. */
const names = [
  ...Array.from({ length: 95 }, (_, index) => `a${String.fromCharCode(32 + index)}b.wav`),
  ...['a/b c/d.wav', 'a%20b.wav', 'a%2Bb.wav', 'a%2Fb.wav', 'a%5Bb.wav', 'a%25b.wav', 'é.wav', '週.wav', '🎙.wav'],
];

test.each([
  ['app.all', new Hono().all('/media/*', ({ req }) => inFolder.fetch(req.raw))],
  ['app.use', new Hono().use('/media/*', ({ req }) => inFolder.fetch(req.raw))],
  [
    'app.route',
    new Hono().route(
      '/media',
      new Hono().all('/*', ({ req }) => inFolder.fetch(req.raw)),
    ),
  ],
  ['app.mount with replaceRequest: false', new Hono().mount('/media', inFolder.fetch, { replaceRequest: false })],
])('serves every name behind %s of Hono', async (_, app) => {
  expect(await refusedBy(app)).toEqual([]);
});

test.each([
  ['app.mount', new Hono().mount('/media', atRoot.fetch)],
  ['mount', new Hono().all('/media/*', mount(atRoot.fetch))],
])('refuses some names behind %s of Hono, which decodes and encodes the path', async (_, app) => {
  expect(await refusedBy(app)).toEqual(['a[b.wav', 'a]b.wav', 'a|b.wav']);
});

/** Returns the names whose signed URLs do not get the media. */
async function refusedBy(app: Hono): Promise<string[]> {
  const signer = createHmacMediaSigner({ baseUrl, secrets });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const refused: string[] = [];
  for (const objectKey of names) {
    const response = await app.fetch(new Request(signer.sign({ objectKey, contentType: 'audio/wav', expiresAt })));
    if (response.status === 200 && (await response.text()) === 'sound') continue;
    expect(response.status).toBe(403);
    refused.push(objectKey);
  }
  return refused;
}
