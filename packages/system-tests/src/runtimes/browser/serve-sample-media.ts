import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampleMedia } from '@memory-read/fixtures';

const media = {
  '/audio': sampleMedia('audio'),
  '/video': sampleMedia('video'),
  '/preview_image': sampleMedia('preview_image'),
};

/** Serves an empty page at `/`, and the sample media by kind with byte ranges, which browsers need for seeking. */
export async function serveSampleMedia(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const sample = media[request.url as keyof typeof media];
    if (sample === undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    const { status, bytes, headers } = cut(sample.bytes, request.headers.range);
    return response
      .writeHead(status, { 'content-type': sample.contentType, 'content-length': bytes.length, ...headers })
      .end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/`, close };
}

function cut(bytes: Uint8Array, range: string | undefined) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === undefined) return { status: 200, bytes, headers: { 'accept-ranges': 'bytes' } };
  const start = Number(first);
  const end = last ? Math.min(Number(last), bytes.length - 1) : bytes.length - 1;
  const headers = { 'accept-ranges': 'bytes', 'content-range': `bytes ${start}-${end}/${bytes.length}` };
  return { status: 206, bytes: bytes.subarray(start, end + 1), headers };
}
