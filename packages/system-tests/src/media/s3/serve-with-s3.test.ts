import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { MemoryClient } from '@memory-read/client';
import { createS3MediaSigner } from '@memory-read/server/s3';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServeProcess, startServe } from '../../server/serving/start-serve.ts';

// A server of S3 that others wrote. It accepts only these credentials.
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const region = 'us-east-1';
const bucket = 'media';
const objectKey = `ada/b c+d%20é!'()*~😀&=.wav`;
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
const folder = makeFolder(afterAll);
const db = join(folder, 'memories.sqlite');

let storage: S3rver;
let endpoint: string;
let server: ServeProcess;
let client: MemoryClient;

beforeAll(async () => {
  const options = { address: '127.0.0.1', port: 0, silent: true, directory: makeFolder(afterAll) };
  storage = new S3rver({ ...options, configureBuckets: [{ name: bucket, configs: [] }] });
  endpoint = `http://127.0.0.1:${(await storage.run()).port}`;
  const owner = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await owner.send(new PutObjectCommand({ Bucket: bucket, Key: objectKey, Body: bytes }));
  owner.destroy();

  const store = openSqliteStore({ path: db });
  const audio = { object_key: objectKey, content_type: 'audio/wav' };
  const { key } = await addAccount(store, 'user_1', [sampleRecord({ media: { audio } })]);
  await store.close();
  const args = ['--s3-endpoint', endpoint, '--s3-region', region, '--s3-bucket', bucket, '--s3-force-path-style'];
  const env = { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey };
  server = await startServe(['--db', db, ...args], { cwd: folder, env });
  client = new MemoryClient({ baseUrl: server.baseUrl, apiKey: key });
});
afterAll(async () => {
  await server?.close();
  await storage?.close();
});

test('a storage of others sends the audio of a listed memory, byte for byte, with its type and by range', async () => {
  const [memory] = await client.listMemories();
  const url = memory?.audio_url ?? '';
  const whole = await fetch(url);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(Buffer.compare(await whole.bytes(), bytes)).toBe(0);
  const part = await fetch(url, { headers: { range: 'bytes=1000-1999' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000']);
  expect(Buffer.compare(await part.bytes(), bytes.subarray(1_000, 2_000))).toBe(0);
});

test('serve serves no media itself, and keeps neither secrets nor files for them', async () => {
  expect((await fetch(`${server.baseUrl}/media/x`)).status).toBe(404);
  expect(existsSync(`${db}.media-secrets.json`)).toBe(false);
  expect(existsSync(join(folder, 'memory-read-data'))).toBe(false);
});

test('a storage of others refuses expired and forged URLs', async () => {
  const sign = async ({ secretAccessKey = 'S3RVER', expiresIn = 3_600 } = {}) => {
    const keys = { ...credentials, secretAccessKey };
    const signer = createS3MediaSigner({ endpoint, region, bucket, forcePathStyle: true, credentials: keys });
    const expiresAt = new Date(Date.now() + expiresIn * 1_000);
    return new URL(await signer.sign({ objectKey, contentType: 'audio/wav', expiresAt }));
  };
  const code = async (url: URL) => {
    const response = await fetch(url);
    return `${response.status} ${/<Code>(\w+)/.exec(await response.text())?.[1]}`;
  };
  expect(await code(await sign({ expiresIn: -60 }))).toBe('403 AccessDenied');
  expect(await code(await sign({ secretAccessKey: 'guessed' }))).toBe('403 SignatureDoesNotMatch');
  for (const forge of [
    (url: URL) => (url.pathname = `/${bucket}/ada/other.wav`),
    (url: URL) => url.searchParams.set('X-Amz-Expires', '604800'),
    (url: URL) => url.searchParams.set('response-content-type', 'text/html'),
    (url: URL) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64)),
  ]) {
    const url = await sign();
    forge(url);
    expect(await code(url), String(forge)).toBe('403 SignatureDoesNotMatch');
  }
});
