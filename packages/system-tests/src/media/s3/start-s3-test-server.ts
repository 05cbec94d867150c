import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../../listen.ts';
import { sendObject } from '../start-storage.ts';
import { type PresignedRequestRules, presignedRequestRefusal } from './presigned-request-refusal.ts';

/** One bucket, with the bytes of its objects by their keys. */
interface S3TestServerOptions extends PresignedRequestRules {
  bucket: string;
  objects: Record<string, Uint8Array>;
}

export type S3TestServer = Awaited<ReturnType<typeof startS3TestServer>>;

/** Starts a storage that judges presigned URLs as S3 does, and serves objects whole or by range. */
export async function startS3TestServer(options: S3TestServerOptions) {
  const server = await listen((request, response) => {
    answer(request, response, options).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return {
    ...server,
    /** For path style. */
    endpoint: server.url,
    /** For virtual-host style; the bucket's own name need not resolve. */
    namedEndpoint: server.url.replace('127.0.0.1', 'localhost'),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: S3TestServerOptions): Promise<void> {
  const { method = '', url: target = '', headers } = request;
  const { host = '' } = headers;
  const bytes = options.objects[objectKeyOf({ host, target }, options.bucket) ?? ''];
  const refusal = await presignedRequestRefusal({ method, target, host }, options);
  if (refusal !== undefined || bytes === undefined) {
    const { status, code } = refusal ?? { status: 404, code: 'NoSuchKey' };
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
    return;
  }
  const type = new URLSearchParams(target.split('?')[1]).get('response-content-type') ?? 'binary/octet-stream';
  await sendObject(response, headers, { bytes, type, etag: `"${createHash('md5').update(bytes).digest('hex')}"` });
}

/** The bucket stands in the name of the host, or first in the path. */
function objectKeyOf({ host, target }: { host: string; target: string }, bucket: string): string | undefined {
  const path = decodeURIComponent(target.split('?')[0] ?? '');
  if (host.startsWith(`${bucket}.localhost:`)) return path.slice(1);
  return path.startsWith(`/${bucket}/`) ? path.slice(bucket.length + 2) : undefined;
}
