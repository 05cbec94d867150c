import { createInMemoryStore } from '@memory-read/server';
import { type RequestEndEvent, serve } from '@memory-read/server/node';
import { freePort } from '@memory-read/test-kit/free-port';
import { addAccount, createMemoryService, mediaFrom } from '@memory-read/test-kit/memory-service';
import { onTestFinished } from 'vitest';
import { manyRecords } from '../serving/many-records.ts';
import { type ProxyKind, startProxy } from './start-proxy.ts';

export const mediaBytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));

/** Starts the server and a proxy in front of it. `breaks` picks the paths whose bodies fail after their first half. */
export async function serveBehindProxy(kind: ProxyKind, breaks = (_path: string) => false) {
  const store = createInMemoryStore();
  const { key } = await addAccount(store, 'ada', manyRecords(500, 'mem'));
  const events: RequestEndEvent[] = [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = createMemoryService(store, url, { source: mediaFrom(() => new Uint8Array(mediaBytes)) });
  const server = await serve({
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/readyz') return Response.json({ status: 'ok' });
      const response = await service.fetch(request);
      return breaks(pathname) ? halved(response) : response;
    },
    // The proxy connects from this address, and callers can use another one of the loopback network.
    trustedProxies: ['127.0.0.1'],
    onEnd: (event) => events.push(event),
    onError: () => {},
  });
  onTestFinished(() => server.close());
  // HAProxy checks the server when it starts.
  const { logged, end } = await startProxy(kind, port, server.port);
  onTestFinished(() => end());
  const media = { objectKey: "ada/it's é.wav", contentType: 'audio/wav' };
  const mediaUrl = await service.mediaSigner.sign({ ...media, expiresAt: new Date(Date.now() + 3_600_000) });
  return { proxy: { port, url }, key, events, mediaUrl, logged };
}

/** The response with the first half of its body. A list and a memory lose their length, as if they were streamed. */
async function halved(response: Response): Promise<Response> {
  const bytes = await response.bytes();
  const pieces = [bytes.subarray(0, bytes.length / 2)];
  const headers = new Headers(response.headers);
  if (headers.get('content-type') === 'application/json') headers.delete('content-length');
  const body = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      const piece = pieces.shift();
      if (piece === undefined) controller.error(new Error('the store is down'));
      else controller.enqueue(piece);
    },
  });
  return new Response(body, { status: response.status, headers });
}
