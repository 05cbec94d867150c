import { expect, test } from 'vitest';
import { createMemoryApi } from '../../create-memory-api.ts';
import { createInMemoryStore } from '../in-memory/create-in-memory-store.ts';
import type { ServeOptions } from './serve-options.ts';
import { startServer } from './start-server.test-support.ts';

const api = createMemoryApi({
  store: createInMemoryStore(),
  authenticate: async (key) => (key === 'known' ? { userId: 'ada' } : undefined),
  mediaSigner: { sign: () => 'https://media.test/a' },
});

async function ask(fetch: ServeOptions['fetch'], method = 'GET'): Promise<Response> {
  const { url } = await startServer(fetch);
  return globalThis.fetch(`${url}/v1/memories`, { method, headers: { 'x-api-key': 'known', 'x-request-id': 'mine' } });
}

test('a wrapper of an API receives a Response of the platform', async () => {
  let passing: Response | undefined;
  await ask(async (request) => (passing = await api.fetch(request)));
  expect(Object.getPrototypeOf(passing)).toBe(Response.prototype);
});

test('sends each header and cookie that a wrapper sets, besides all others', async () => {
  const response = await ask(async (request) => {
    const passing = await api.fetch(request);
    passing.headers.set('server-timing', 'store;dur=2');
    for (const cookie of ['a=1', 'b=2']) passing.headers.append('set-cookie', cookie);
    return passing;
  });
  const names = ['server-timing', 'x-request-id', 'content-length', 'cache-control'];
  expect(names.map((name) => response.headers.get(name))).toEqual(['store;dur=2', 'mine', '2', 'private, no-store']);
  expect([response.headers.getSetCookie(), await response.text()]).toEqual([['a=1', 'b=2'], '[]']);
});

test.each<[string, (passing: Response) => Response | Promise<Response>]>([
  ['passed on', (passing) => passing],
  ['wrapped', (passing) => new Response(passing.body, passing)],
  ['cloned', (passing) => passing.clone()],
  ['read and recreated', async (passing) => new Response(await passing.text(), passing)],
  ['replaced', ({ headers }) => new Response('[1]', { status: 203, headers })],
])('a response that a wrapper has %s arrives', async (how, change) => {
  const response = await ask(async (request) => change(await api.fetch(request)));
  const [status, body] = how === 'replaced' ? [203, '[1]'] : [200, '[]'];
  expect([response.status, response.headers.get('x-request-id'), await response.text()]).toEqual([
    status,
    'mine',
    body,
  ]);
});

test.each<[string, (passing: Response) => Promise<Response> | Response]>([
  ['whose body was read', (passing) => passing.text().then(() => passing)],
  [
    'whose body was read by a reader that has left',
    async (passing) => {
      const reader = passing.body?.getReader();
      while (!(await reader?.read())?.done);
      reader?.releaseLock();
      return passing;
    },
  ],
  [
    'whose body somebody else reads',
    (passing) => {
      passing.body?.getReader();
      return passing;
    },
  ],
  ['with a length and no body', () => new Response(null, { headers: { 'content-length': '5' } })],
  ['with a header that Node refuses', () => new Response('[]', { headers: { 'x-one': '\x01' } })],
  ['with such a header and a slow body', () => new Response(endless(0), { headers: { 'x-one': '\x01' } })],
])('a response %s is reported as a 500', async (_, change) => {
  const server = await startServer(async (request) => change(await api.fetch(request)));
  const { status } = await fetch(`${server.url}/v1/memories`);
  expect([status, server.errors.length]).toEqual([500, 1]);
});

/** A stream of these chunks that never ends. */
function endless(chunks: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (let index = 0; index < chunks; index += 1) controller.enqueue(new TextEncoder().encode('chunk'));
    },
  });
}

function chunksOf(...chunks: string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

test.each<[string, () => ConstructorParameters<typeof Response>, Record<string, string | null>]>([
  ['a text', () => ['Ünï'], { 'content-length': '5', 'content-type': 'text/plain;charset=UTF-8' }],
  ['an empty text', () => [''], { 'content-length': '0' }],
  ['one chunk', () => [chunksOf('Ünï')], { 'content-length': '5', 'content-type': 'text/plain; charset=UTF-8' }],
  ['several chunks', () => [chunksOf('a', 'b', 'c')], { 'content-length': null, 'transfer-encoding': 'chunked' }],
  ['nothing', () => [null], { 'content-type': null, 'transfer-encoding': 'chunked' }],
  ['nothing, with a 204', () => [null, { status: 204 }], { 'content-type': null, 'transfer-encoding': null }],
  [
    'chunks whose length is known',
    () => [chunksOf('a', 'bc'), { headers: { 'content-length': '3' } }],
    { 'content-length': '3', 'transfer-encoding': null },
  ],
  [
    'a chunk that is to be sent as such',
    () => [chunksOf('a'), { headers: { 'transfer-encoding': 'chunked' } }],
    { 'content-length': null, 'transfer-encoding': 'chunked' },
  ],
])('a response with %s is sent with the required headers', async (_, init, headers) => {
  const response = await ask(() => new Response(...init()));
  const expected = await new Response(...init()).text();
  expect(await response.text()).toBe(expected);
  for (const [name, value] of Object.entries(headers))
    expect([name, response.headers.get(name)]).toEqual([name, value]);
});

test.each([0, 1, 2])('a body that is slow after %i chunks starts without delay', async (chunks) => {
  const response = await ask(() => new Response(endless(chunks)));
  const reader = response.body?.getReader();
  let text = '';
  while (text.length < chunks * 5) text += Buffer.from((await reader?.read())?.value ?? []);
  expect(text).toBe('chunk'.repeat(chunks));
});

test('HEAD gets the length and no body', async () => {
  const response = await ask(() => new Response('Ünï'), 'HEAD');
  expect([response.headers.get('content-length'), await response.text()]).toEqual(['5', '']);
});

test('cancels a body if the client has disconnected', async () => {
  const cancelled = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const body = new ReadableStream({
    pull() {
      begun.resolve();
      return new Promise(() => {});
    },
    cancel: () => cancelled.resolve(),
  });
  const server = await startServer(() => new Response(body));
  const leaving = new AbortController();
  const response = await fetch(server.url, { signal: leaving.signal });
  await begun.promise;
  leaving.abort();
  await cancelled.promise;
  await expect(response.text()).rejects.toThrow();
});
