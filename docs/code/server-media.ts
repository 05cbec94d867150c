import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleMedia } from '@memory-read/fixtures';
import { createHmacMediaSigner, createMediaHost } from '@memory-read/server';
import { createDirectoryMediaSource } from '@memory-read/server/node';
import { Hono } from 'hono';

const directory = await mkdtemp(join(tmpdir(), 'memory-read-'));
const secrets = [{ id: '2026-01', secret: process.env.MEDIA_SECRET ?? '' }];
await mkdir(join(directory, 'mem_1'));
await writeFile(join(directory, 'mem_1', 'audio.wav'), sampleMedia('audio').bytes);

// #region media-signer
const mediaSigner = createHmacMediaSigner({ baseUrl: 'https://media.example.com', secrets });
const expiresAt = new Date(Date.now() + 3_600_000);
const url = mediaSigner.sign({ objectKey: 'mem_1/audio.wav', contentType: 'audio/wav', expiresAt });
// #endregion

// #region directory-media-source
const source = createDirectoryMediaSource({ path: directory });
const object = await source.open('mem_1/audio.wav');
console.log(object?.size);
// #endregion

// #region media-host
const mediaHost = createMediaHost({ source, secrets });
const response = await mediaHost.fetch(new Request(url, { headers: { range: 'bytes=0-43' } }));
console.log(response.status, response.headers.get('content-range'));
// #endregion

// #region media-mount
const mounted = createMediaHost({ source, secrets, basePath: '/media' });
const app = new Hono();
app.all('/media/*', (context) => mounted.fetch(context.req.raw));
// #endregion
const signer = createHmacMediaSigner({ baseUrl: 'https://api.example.com/media', secrets });
const { status, body } = await app.request(
  signer.sign({ objectKey: 'mem_1/audio.wav', contentType: 'audio/wav', expiresAt }),
);
console.log(status);

await response.body?.cancel();
await body?.cancel();
await rm(directory, { recursive: true });
