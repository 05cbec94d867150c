import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PresignedRequestRules, presignedRequestRefusal } from './presigned-request-refusal.ts';

/** One bucket. */
export interface S3TestServerOptions extends PresignedRequestRules {
  bucket: string;
  /** Bytes by object key. */
  objects: Record<string, Uint8Array>;
}

export interface S3TestServer {
  /** For path style, such as `http://127.0.0.1:9000`. */
  endpoint: string;
  /** For virtual-host style, such as `http://localhost:9000`; the bucket's own name need not resolve. */
  namedEndpoint: string;
  close(): Promise<void>;
}

/** A storage that judges presigned URLs as S3 does, and serves objects whole or by range. */
export async function startS3TestServer(options: S3TestServerOptions): Promise<S3TestServer> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    namedEndpoint: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, options: S3TestServerOptions): Promise<void> {
  const { method = '', url: target = '', headers } = request;
  const { host = '' } = headers;
  const refusal = await presignedRequestRefusal({ method, target, host }, options);
  if (refusal !== undefined) return refuse(response, refusal);
  const bytes = options.objects[objectKeyOf({ host, target }, options.bucket) ?? ''];
  if (bytes === undefined) return refuse(response, { status: 404, code: 'NoSuchKey' });
  const type = new URLSearchParams(target.split('?')[1]).get('response-content-type');
  sendObject(response, { bytes, type: type ?? 'binary/octet-stream', headers });
}

function refuse(response: ServerResponse, { status, code }: { status: number; code: string }): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}

/** The bucket stands in the name of the host, or first in the path. */
function objectKeyOf({ host, target }: { host: string; target: string }, bucket: string): string | undefined {
  const path = decodeURIComponent(target.split('?')[0] ?? '');
  if (host.startsWith(`${bucket}.localhost:`)) return path.slice(1);
  return path.startsWith(`/${bucket}/`) ? path.slice(bucket.length + 2) : undefined;
}

interface ServedObject {
  bytes: Uint8Array;
  type: string;
  headers: IncomingMessage['headers'];
}

function sendObject(response: ServerResponse, { bytes, type, headers }: ServedObject): void {
  const size = bytes.length;
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  const described = { 'accept-ranges': 'bytes', 'content-type': type, etag };
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
  const [, first, last] = (isCurrent && /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '')) || [];
  if (first === undefined) {
    response.writeHead(200, { ...described, 'content-length': size }).end(bytes);
    return;
  }
  const [start, end] = [Number(first), Math.min(last ? Number(last) : size, size - 1)];
  if (start >= size) {
    response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    return;
  }
  const part = bytes.subarray(start, end + 1);
  const range = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': part.length };
  response.writeHead(206, { ...described, ...range }).end(part);
}
