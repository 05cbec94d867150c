import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '@memory-read/test-kit/listen';
import { sendObject } from '../start-storage.ts';
import { type SignedGet, signWithSdk } from './sign-with-sdk.ts';

/** One bucket in path style, with the bytes of its objects by their keys. */
interface S3TestServerOptions extends Pick<SignedGet, 'bucket' | 'region' | 'credentials'> {
  clock: { now(): Date };
  objects: Record<string, Uint8Array>;
}

export type S3TestServer = Awaited<ReturnType<typeof startS3TestServer>>;

/** Starts a storage that accepts presigned URLs of the AWS SDK, and serves objects as a whole or by range. */
export async function startS3TestServer(options: S3TestServerOptions) {
  return listen((request, response) => {
    answer(request, response, options).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

async function answer(
  { method, url: target = '', headers }: IncomingMessage,
  response: ServerResponse,
  { clock, objects, ...account }: S3TestServerOptions,
): Promise<void> {
  const endpoint = `http://${headers.host}`;
  const { pathname, searchParams } = new URL(endpoint + target);
  const objectKey = decodeURIComponent(pathname.slice(`/${account.bucket}/`.length));
  const contentType = searchParams.get('response-content-type') ?? '';
  const signedAt = Date.parse(searchParams.get('X-Amz-Date')?.replace(/(..)(..T..)(..)/, '-$1-$2:$3:') ?? '') / 1000;
  const lifetimeSeconds = Number(searchParams.get('X-Amz-Expires'));
  const signed = { ...account, endpoint, forcePathStyle: true, objectKey, contentType, signedAt, lifetimeSeconds };
  const age = clock.now().getTime() / 1000 - signedAt;
  const bytes = objects[objectKey];
  const isRefused = method !== 'GET' || endpoint + target !== (await signWithSdk(signed)) || age > lifetimeSeconds;
  if (isRefused || bytes === undefined) return void response.writeHead(isRefused ? 403 : 404).end('<Error/>');
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  return sendObject(response, headers, { bytes, type: contentType, etag });
}
