import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { sampleMedia } from '@memory-read/fixtures';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServeProcess, startServe } from '../../server/serving/start-serve.ts';
import { type S3TestServer, startS3TestServer } from './start-s3-test-server.ts';

const bucket = 'media';
const region = 'eu-central-1';
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a-secret/key+1', sessionToken: 'to/k+en==' };
const audio = { object_key: `/a//b c+d%20é!'()*~😀"?#&=\\/`, content_type: 'audio/wav' };
const { bytes } = sampleMedia('audio');

const folder = makeFolder(afterAll);
let storage: S3TestServer;
let server: ServeProcess;
let client: MemoryClient;

beforeAll(async () => {
  const db = join(folder, 'memories.sqlite');
  const apiKey = await prepareStore(db);
  const clock = { now: () => new Date() };
  storage = await startS3TestServer({ bucket, region, credentials, clock, objects: { [audio.object_key]: bytes } });
  const args = ['--s3-endpoint', storage.url, '--s3-region', region, '--s3-bucket', bucket];
  server = await startServe(['--db', db, ...args, '--s3-force-path-style'], {
    cwd: folder,
    env: {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_SESSION_TOKEN: credentials.sessionToken,
    },
  });
  client = new MemoryClient({ baseUrl: server.baseUrl, apiKey });
});
afterAll(async () => {
  await server?.close();
  await storage?.[Symbol.asyncDispose]();
});

test('the audio of a listed memory is downloaded by range from the storage', async () => {
  const [memory] = await client.listMemories();
  const url = memory?.audio_url ?? '';
  expect(url.startsWith(`${storage.url}/media//a//b%20c%2Bd`)).toBe(true);
  const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
  expect([part.status, part.headers.get('content-type')]).toEqual([206, 'audio/wav']);
  expect(part.headers.get('content-range')).toBe(`bytes 10-19/${bytes.length}`);
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(10, 20));
});

test('the service serves no media itself, and keeps neither secrets nor files for them', async () => {
  expect((await fetch(`${server.baseUrl}/media/x`)).status).toBe(404);
  expect(existsSync(join(folder, 'memories.sqlite.media-secrets.json'))).toBe(false);
  expect(existsSync(join(folder, 'memory-read-media'))).toBe(false);
});

async function prepareStore(path: string): Promise<string> {
  const store = openSqliteStore({ path });
  const { key } = await addAccount(store, 'user_1', [sampleRecord({ media: { audio } })]);
  await store.close();
  return key;
}
