import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { createMemoryApi } from '../../create-memory-api.ts';
import { toResponse } from '../../http/whole-answer.ts';
import { createInMemoryStore } from '../in-memory/create-in-memory-store.ts';
import { deferResponse, wholeAnswerOf } from './deferred-response.ts';
import { type RunningServer, serve } from './serve.ts';

const answer = { status: 203, headers: { 'content-type': 'application/json', 'x-one': '1' }, body: '{"name":"Ünï"}' };
const bodyReaders = ['arrayBuffer', 'blob', 'bytes', 'json', 'text'] as const;
const running: RunningServer[] = [];

afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** Tells how many responses of the platform were made meanwhile. */
function countResponses(): () => number {
  let count = 0;
  vi.stubGlobal(
    'Response',
    class extends Response {
      constructor(...init: ConstructorParameters<typeof Response>) {
        super(...init);
        count += 1;
      }
    },
  );
  return () => count;
}

const api = createMemoryApi({
  store: createInMemoryStore(),
  authenticate: async (key) => (key === 'known' ? { userId: 'ada' } : undefined),
  mediaSigner: { sign: () => 'https://media.test/a' },
});

async function ask(fetch: Parameters<typeof serve>[0]['fetch'], key = 'known'): Promise<Response> {
  const server = await serve({ fetch, port: 0 });
  running.push(server);
  return globalThis.fetch(`${server.url}/v1/memories`, { headers: { 'x-api-key': key, 'x-request-id': 'mine' } });
}

test('what serve sends itself is never made, neither an answer nor a problem', async () => {
  const made = countResponses();
  expect((await ask(api.fetch)).status).toBe(200);
  expect((await ask(api.fetch, 'unknown')).status).toBe(401);
  expect(made()).toBe(0);
});

test('an API that is called without serve answers with a response of the platform', async () => {
  const response = await api.fetch(new Request('http://api.test/v1/memories', { headers: { 'x-api-key': 'known' } }));
  expect(Object.getPrototypeOf(response)).toBe(Response.prototype);
});

test('a header that is set on the way is sent, beside all others', async () => {
  const response = await ask(async (request) => {
    const passing = await api.fetch(request);
    passing.headers.set('server-timing', 'store;dur=2');
    return passing;
  });
  const names = ['server-timing', 'x-request-id', 'content-length', 'cache-control'];
  expect(names.map((name) => response.headers.get(name))).toEqual(['store;dur=2', 'mine', '2', 'private, no-store']);
  expect(await response.text()).toBe('[]');
});

test('every cookie that is set on the way is sent', async () => {
  const response = await ask(async (request) => {
    const passing = await api.fetch(request);
    for (const cookie of ['a=1', 'b=2']) passing.headers.append('set-cookie', cookie);
    return passing;
  });
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect([response.headers.get('x-request-id'), await response.text()]).toEqual(['mine', '[]']);
});

test.each<[string, (passing: Response) => Response | Promise<Response>]>([
  ['wrapped', (passing) => new Response(passing.body, passing)],
  ['cloned', (passing) => passing.clone()],
  ['read and made anew', async (passing) => new Response(await passing.text(), passing)],
])('a response that is %s on the way arrives', async (_, change) => {
  const response = await ask(async (request) => change(await api.fetch(request)));
  expect([response.status, response.headers.get('x-request-id'), await response.text()]).toEqual([200, 'mine', '[]']);
});

test('a response whose body is read on the way is no answer', async () => {
  const errors: unknown[] = [];
  const fetch = async (request: Request) => {
    const passing = await api.fetch(request);
    await passing.text();
    return passing;
  };
  const server = await serve({ fetch, port: 0, onError: (error) => errors.push(error) });
  running.push(server);
  const { status } = await globalThis.fetch(`${server.url}/v1/memories`, { headers: { 'x-api-key': 'known' } });
  expect([status, errors.length]).toEqual([500, 1]);
});

test('it has everything that a response has', async () => {
  const [deferred, made] = [deferResponse(answer), toResponse(answer)];
  expect(deferred).toBeInstanceOf(Response);
  expect(Object.prototype.toString.call(deferred)).toBe('[object Response]');
  expect(inspect(deferred)).toBe(inspect(made));
  for (const name of Reflect.ownKeys(Response.prototype) as (keyof Response)[]) {
    expect([name, typeof deferred[name]]).toEqual([name, typeof made[name]]);
  }
  const plain = ['status', 'statusText', 'ok', 'type', 'url', 'redirected', 'bodyUsed'] as const;
  expect(plain.map((name) => deferred[name])).toEqual(plain.map((name) => made[name]));
  expect([...deferred.headers]).toEqual([...made.headers]);
  for (const name of bodyReaders) {
    expect(await deferResponse(answer)[name]()).toEqual(await toResponse(answer)[name]());
  }
});

test('its status can be read without making it; once anything else is, what is sent is what it has become', () => {
  const deferred = deferResponse(answer);
  expect(deferred.status).toBe(203);
  expect(wholeAnswerOf(deferred)).toBe(answer);
  deferred.headers.delete('x-one');
  const { 'content-type': contentType } = answer.headers;
  expect(wholeAnswerOf(deferred)).toEqual({ ...answer, headers: { 'content-type': contentType } });
});
