import { connect } from 'node:net';
import { Readable, Writable } from 'node:stream';
import type { PlainResponse } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { collectGarbage } from '@memory-read/test-kit/collect-garbage';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bodyKinds, type OpenBody } from './body-kinds.ts';

/** How a response ends whose body is not sent to its end. Those that need a collection hold something until then. */
const endings: Record<string, { end(body: OpenBody): Promise<void>; needsCollection?: true }> = {
  'is never read': {
    needsCollection: true,
    async end(body) {
      expect((await body.fetch(requestOf(body))).ok).toBe(true);
    },
  },
  'is read by one chunk and forgotten': {
    needsCollection: true,
    async end(body) {
      await (await body.fetch(requestOf(body))).body?.getReader().read();
    },
  },
  'is replaced': {
    needsCollection: true,
    async end(body) {
      const response = await body.fetch(requestOf(body));
      expect(await new Response('other', response).text()).toBe('other');
    },
  },
  'is read to its end': {
    async end(body) {
      await (await body.fetch(requestOf(body))).arrayBuffer();
    },
  },
  'is cancelled before it is read': {
    async end(body) {
      await (await body.fetch(requestOf(body))).body?.cancel();
    },
  },
  'is cancelled after a chunk': {
    async end(body) {
      const reader = (await body.fetch(requestOf(body))).body?.getReader();
      await reader?.read();
      await reader?.cancel();
    },
  },
  'is cancelled during a read': {
    async end(body) {
      const reader = (await body.fetch(requestOf(body))).body?.getReader();
      await reader?.read();
      const reading = reader?.read();
      await reader?.cancel();
      await reading;
    },
  },
  'belongs to a request that was aborted before': {
    async end(body) {
      await body.fetch(requestOf(body, { signal: AbortSignal.abort() }));
    },
  },
  'belongs to a request that is aborted at once': {
    async end(body) {
      const leaving = new AbortController();
      const responding = body.fetch(requestOf(body, { signal: leaving.signal }));
      leaving.abort();
      await responding;
    },
  },
  'is piped by a framework that does not cancel it, and its request is aborted': {
    async end(body) {
      const leaving = new AbortController();
      const response = await body.fetch(requestOf(body, { signal: leaving.signal }));
      if (response.body === null) return;
      const piped = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
      const ended = new Promise((resolve) => piped.once('error', resolve).once('end', resolve));
      // A socket of a caller that has left takes no more bytes.
      piped.pipe(new Writable({ highWaterMark: 1, write: () => {} }));
      await new Promise(setImmediate);
      leaving.abort();
      // It holds nothing although no further chunk is read. A later read gets an error, or what was read before.
      await vi.waitFor(() => expect(body.held()).toBe(0));
      piped.unpipe().resume();
      await ended;
    },
  },
  'answers HEAD': {
    async end(body) {
      expect((await body.fetch(requestOf(body, { method: 'HEAD' }))).body).toBeNull();
    },
  },
  'answers HEAD with the response to GET, over serve': {
    async end(body) {
      const url = await listen(body, (response) => response);
      expect((await fetch(url, { method: 'HEAD' })).ok).toBe(true);
    },
  },
  'has a header that Node refuses, over serve': {
    async end(body) {
      const refused = { 'content-disposition': 'inline; filename="a\u0001b.wav"' };
      const url = await listen(body, (response) => {
        if (response instanceof Response) {
          return new Response(response.body, { headers: { ...Object.fromEntries(response.headers), ...refused } });
        }
        return { ...response, headers: { ...response.headers, ...refused } };
      });
      expect((await fetch(url)).status).toBe(500);
    },
  },
  'has a status that cannot be sent, over serve': {
    async end(body) {
      const url = await listen(body, (response) =>
        response instanceof Response
          ? Object.defineProperty(response, 'status', { value: 199 })
          : { ...response, status: 99 },
      );
      expect((await fetch(url)).status).toBe(500);
    },
  },
  'is sent to a caller that leaves after its first bytes, over serve': {
    async end(body) {
      const url = await listen(body, (response) => response);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await new Promise((resolve) => socket.once('readable', resolve));
      socket.destroy();
    },
  },
};

describe.each(Object.entries(bodyKinds))('%s', (_, open) => {
  test.each(Object.entries(endings))('holds nothing once it %s', async (_ending, { end, needsCollection }) => {
    const body = await open();
    await end(body);
    if (needsCollection && body.isShort) expect(body.held(), 'before a collection').toBe(0);
    await vi.waitFor(async () => {
      if (needsCollection) await collectGarbage();
      expect(body.held()).toBe(0);
    });
  });
});

test('50 responses whose bodies are never read end no process and print no warning', async () => {
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown) => void warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const body = await bodyKinds['a large file']?.();
  for (let count = 0; count < 50; count += 1) await body?.fetch(requestOf(body));
  await vi.waitFor(async () => {
    await collectGarbage();
    expect(body?.held()).toBe(0);
  });
  expect(warnings).toEqual([]);
});

function requestOf(body: OpenBody, init: RequestInit = {}): Request {
  return new Request(body.url, { headers: body.headers, ...init });
}

type Sent = Response | PlainResponse;

/** Serves the response to GET, after a change, for every request. */
async function listen(body: OpenBody, change: (response: Sent) => Sent): Promise<string> {
  const server = await serve({
    fetch: async ({ signal }) => change(await body.respond(requestOf(body, { signal }))),
    port: 0,
    closeTimeout: 1,
    onError: () => {},
  });
  onTestFinished(() => server.close());
  return server.url;
}
