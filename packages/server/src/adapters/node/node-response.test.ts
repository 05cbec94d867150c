import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { createMemoryApi } from '../../create-memory-api.ts';
import type { PlainBody, PlainResponse } from '../../http/plain-response.ts';
import { createInMemoryStore } from '../in-memory/create-in-memory-store.ts';
import { startServer } from './start-server.test-support.ts';

const text = '{"name":"Ünïcödé"}';
const parts = ['{"name":"', new TextEncoder().encode('Ünïcödé'), '"}'];

afterEach(() => void vi.unstubAllGlobals());

/** Returns what a client receives of a response without a `Response` object. */
async function sent(body: PlainBody, init: RequestInit = {}) {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'a' };
  const { url } = await startServer(() => ({ status: 203, headers, body }));
  return globalThis.fetch(url, init);
}

test.each(['known', 'unknown'])('creates no Response object if the key is %s', async (key) => {
  const api = createMemoryApi({
    store: createInMemoryStore(),
    authenticate: async (key) => (key === 'known' ? { userId: 'ada' } : undefined),
    mediaSigner: { sign: () => 'https://media.test/a' },
  });
  const { url } = await startServer(api.respond);
  const made = vi.fn();
  vi.stubGlobal(
    'Response',
    class extends Response {
      constructor(...init: ConstructorParameters<typeof Response>) {
        super(...init);
        made();
      }
    },
  );
  const { status } = await fetch(`${url}/v1/memories`, { headers: { 'x-api-key': key } });
  expect([status, made.mock.calls]).toEqual([key === 'known' ? 200 : 401, []]);
});

test('a function may return both kinds of responses', async () => {
  const fetch = ({ url }: Request): PlainResponse | Response =>
    url.endsWith('/plain') ? { status: 200, headers: {}, body: text } : new Response(text);
  const server = await startServer(fetch);
  for (const path of ['/plain', '/response']) {
    const response = await globalThis.fetch(server.url + path);
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['22', text]);
  }
});

test.each([
  ['a text', text],
  ['parts', parts],
  ['one part', [Buffer.from(text)]],
])('%s is sent with status, headers and the length of its bytes, also for HEAD', async (_, body) => {
  const response = await sent(body);
  const names = ['content-type', 'x-request-id', 'content-length'];
  const head = [203, 'application/json', 'a', '22'];
  expect([response.status, ...names.map((name) => response.headers.get(name))]).toEqual(head);
  expect(await response.text()).toBe(text);
  const headed = await sent(body, { method: 'HEAD' });
  expect([headed.status, ...names.map((name) => headed.headers.get(name))]).toEqual(head);
  expect(await headed.text()).toBe('');
});

test.each<[string, Partial<Record<keyof PlainResponse, unknown>>]>([
  ['without a status', { status: undefined }],
  ['with a status of 1xx', { status: 100 }],
  ['with a length and no body', { body: null, headers: { 'content-length': '5' } }],
  ['with a Readable of Node as its body', { body: Readable.from(['a']) }],
  ['with an object as its body', { body: { id: 1 } }],
  ['without a body', { body: undefined }],
])('a plain response %s is a 500 and is reported once', async (_, change) => {
  const server = await startServer(() => ({ status: 200, headers: {}, body: text, ...change }) as PlainResponse);
  const response = await fetch(server.url);
  expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error']);
  expect(await response.json()).toEqual({ detail: 'Internal server error' });
  expect(server.errors).toEqual([expect.any(TypeError)]);
});

test('a plain response with a part that cannot be sent resets the connection and is reported once', async () => {
  const detached = new Uint8Array(3);
  structuredClone(detached, { transfer: [detached.buffer] });
  for (const part of [detached, new ArrayBuffer(3)]) {
    const body = ['{"a":', part, '}'] as PlainBody;
    const { url, errors } = await startServer(() => ({ status: 200, headers: {}, body }));
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect(errors).toHaveLength(1);
  }
});

test.each([
  ['HEAD', 200],
  ['GET', 304],
])('a response to %s with the status %i can have a length and no body', async (method, status) => {
  const { url } = await startServer(() => ({ status, headers: { 'content-length': '5' }, body: null }));
  const response = await fetch(url, { method });
  expect([response.status, response.headers.get('content-length')]).toEqual([status, '5']);
});

test('sends an empty body as such', async () => {
  const response = await sent(null);
  expect([response.status, await response.text()]).toEqual([203, '']);
});

test('sends a stream in its chunks', async () => {
  const response = await sent(new Blob([text]).stream());
  expect(response.headers.get('transfer-encoding')).toBe('chunked');
  expect(await response.text()).toBe(text);
});
