import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createS3MediaSigner } from '@memory-read/server/s3';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';

// A server of S3 that others wrote. It accepts only these credentials.
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const region = 'us-east-1';
const bucket = 'media';
const objectKey = `ada/b c+d%20é!'()*~😀&=.wav`;
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));

let server: S3rver;
let endpoint: string;

beforeAll(async () => {
  const options = { address: '127.0.0.1', port: 0, silent: true, directory: makeFolder(afterAll) };
  server = new S3rver({ ...options, configureBuckets: [{ name: bucket, configs: [] }] });
  endpoint = `http://127.0.0.1:${(await server.run()).port}`;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: objectKey, Body: bytes }));
  client.destroy();
});
afterAll(() => server.close());

/** Returns the URL that `serve` gives for the object. */
async function signedUrl({ secretAccessKey = 'S3RVER', expiresIn = 3_600 } = {}): Promise<URL> {
  const keys = { ...credentials, secretAccessKey };
  const signer = createS3MediaSigner({ endpoint, region, bucket, forcePathStyle: true, credentials: keys });
  const expiresAt = new Date(Date.now() + expiresIn * 1_000);
  return new URL(await signer.sign({ objectKey, contentType: 'audio/wav', expiresAt }));
}

test('a storage of others sends a signed object byte for byte, with its content type and by range', async () => {
  const whole = await fetch(await signedUrl());
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  expect(Buffer.compare(await whole.bytes(), bytes)).toBe(0);
  const part = await fetch(await signedUrl(), { headers: { range: 'bytes=1000-1999' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000']);
  expect(Buffer.compare(await part.bytes(), bytes.subarray(1_000, 2_000))).toBe(0);
});

test('a storage of others refuses expired and forged URLs', async () => {
  const code = async (url: URL) => {
    const response = await fetch(url);
    return `${response.status} ${/<Code>(\w+)/.exec(await response.text())?.[1]}`;
  };
  expect(await code(await signedUrl({ expiresIn: -60 }))).toBe('403 AccessDenied');
  expect(await code(await signedUrl({ secretAccessKey: 'guessed' }))).toBe('403 SignatureDoesNotMatch');
  for (const forge of [
    (url: URL) => (url.pathname = `/${bucket}/ada/other.wav`),
    (url: URL) => url.searchParams.set('X-Amz-Expires', '604800'),
    (url: URL) => url.searchParams.set('response-content-type', 'text/html'),
    (url: URL) => url.searchParams.set('X-Amz-Signature', '0'.repeat(64)),
  ]) {
    const url = await signedUrl();
    forge(url);
    expect(await code(url), String(forge)).toBe('403 SignatureDoesNotMatch');
  }
});
