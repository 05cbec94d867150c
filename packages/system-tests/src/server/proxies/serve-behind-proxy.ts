import { Readable } from 'node:stream';
import {
  createHmacMediaSigner,
  createInMemoryStore,
  createMediaHost,
  createMemoryApi,
  type MediaObject,
  type MemoryStore,
} from '@memory-read/server';
import { type RequestEndEvent, serve } from '@memory-read/server/node';
import { freePort } from '@memory-read/test-kit/free-port';
import { onTestFinished } from 'vitest';
import { manyRecords } from '../serving/many-records.ts';
import { type ProxyKind, startProxy } from './start-proxy.ts';

export const apiKey = 'key-of-ada';
export const mediaBytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
const listed = 500;

/** Which body fails after its first half. */
export type BrokenBody = 'the list' | 'one memory' | 'the media';

/** Starts the server, whose bodies can fail, and a proxy in front of it. */
export async function serveBehindProxy(kind: ProxyKind, broken?: BrokenBody) {
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [...manyRecords(listed, 'mem')]);
  const events: RequestEndEvent[] = [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const secrets = [{ id: 'main', secret: 'a secret of at least 16 bytes' }];
  const mediaSigner = createHmacMediaSigner({ baseUrl: `${url}/media`, secrets });
  const api = createMemoryApi({
    store: broken === 'the list' ? failingAt(store, listed / 2) : store,
    authenticate: async (key) => (key === apiKey ? { userId: 'ada' } : undefined),
    mediaSigner,
    onError: () => {},
  });
  const mediaHost = createMediaHost({
    source: { open: async () => mediaObject(broken === 'the media') },
    secrets,
    basePath: '/media',
    onError: () => {},
  });
  const server = await serve({
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/readyz') return Response.json({ status: 'ok' });
      if (pathname.startsWith('/media/')) return mediaHost.fetch(request);
      if (broken !== 'one memory' || pathname === '/v1/memories') return api.fetch(request);
      return api.fetch(request).then(halved);
    },
    // The proxy connects from this address, and callers can use another one of the loopback network.
    trustedProxies: ['127.0.0.1'],
    onEnd: (event) => events.push(event),
    onError: () => {},
  });
  onTestFinished(() => server.close());
  // HAProxy checks the server when it starts.
  const { logged, end } = await startProxy(kind, port, server.port);
  onTestFinished(end);
  const media = { objectKey: "ada/it's é.wav", contentType: 'audio/wav' };
  const mediaUrl = await mediaSigner.sign({ ...media, expiresAt: new Date(Date.now() + 3_600_000) });
  return { proxy: { port, url }, events, mediaUrl, logged };
}

function failingAt(store: MemoryStore, position: number): MemoryStore {
  return {
    ...store,
    async *listMemories(query) {
      let index = 0;
      for await (const memory of store.listMemories(query)) {
        if (index === position) throw new Error('the store is down');
        index += 1;
        yield memory;
      }
    },
  };
}

function mediaObject(isShrinking: boolean): MediaObject {
  return {
    size: mediaBytes.length,
    etag: '"a"',
    stream(range = { start: 0, end: mediaBytes.length - 1 }) {
      const bytes = mediaBytes.subarray(range.start, range.end + 1);
      const sent = isShrinking ? bytes.subarray(0, bytes.length / 2) : bytes;
      return Readable.toWeb(Readable.from([sent])) as ReadableStream<Uint8Array>;
    },
  };
}

/** The response with the first half of its body and without a length, as of a handler that streams one memory. */
async function halved(response: Response): Promise<Response> {
  const text = await response.text();
  const pieces = [text.slice(0, text.length / 2)];
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const body = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      const piece = pieces.shift();
      if (piece === undefined) controller.error(new Error('the store is down'));
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  return new Response(body, { status: response.status, headers });
}
