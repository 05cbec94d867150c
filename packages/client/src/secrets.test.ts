import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { MemoryClient, type MemoryClientHooks, type MemoryClientOptions } from './index.ts';
import { openServer } from './testing/http-server.ts';
import { rejection } from './testing/rejection.ts';
import { sampleMemory } from './testing/sample-memory.ts';
import { json, type StubAnswer, stalledBody, stubFetch } from './testing/stub-fetch.ts';

const apiKey = 'KEYSECRET_0123456789';
const signedUrl = 'https://media.example.com/a.wav?expires=1&signature=URLSECRET';

/** Everything that a log could make of a value. */
function everythingIn(value: unknown): string {
  const shown = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  const error = value instanceof Error ? [value.message, value.stack, everythingIn(value.cause)] : [];
  return [shown, JSON.stringify(value), String(value), ...error].join('\n');
}

function recordEvents() {
  const events: unknown[] = [];
  const record = (event: unknown) => events.push(event);
  const hooks: MemoryClientHooks = {
    onRequest: record,
    onResponse: record,
    onRetry: record,
    onEnd: record,
    onDrift: record,
  };
  return { events, hooks };
}

function createClient(options: MemoryClientOptions) {
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey, retries: 1, ...options });
}

test.each([
  ['a client', createClient({})],
  ['a client with a function for its key', createClient({ apiKey: () => apiKey })],
  ['a client with secrets of its own in headers', createClient({ headers: { 'x-proxy-token': 'KEYSECRET' } })],
  ['a child', createClient({}).withOptions({ timeout: 5 })],
])('%s shows its base URL and no key', (_title, client) => {
  expect(everythingIn(client)).toContain('https://api.example.com');
  expect(everythingIn(client)).not.toContain('SECRET');
  expect(everythingIn({ client })).not.toContain('SECRET');
});

test('a logged client tells where it points', () => {
  expect(inspect(createClient({}))).toBe('MemoryClient {"baseUrl":"https://api.example.com","auth":"bearer"}');
});

const echo = { detail: `Invalid key ${apiKey} for ${signedUrl}` };
const fault = new TypeError(`Failed to parse URL from ${signedUrl}`, {
  cause: Object.assign(new Error(`Proxy http://user:PASSWORDSECRET@proxy.example.com refused Bearer ${apiKey}`), {
    code: 'ECONNREFUSED',
    options: { headers: { authorization: apiKey } },
  }),
});

test.each<[string, StubAnswer]>([
  ['401 that repeats the key', json(echo, { status: 401 })],
  ['404 that repeats the key', json(echo, { status: 404 })],
  ['422 that repeats the key', json(echo, { status: 422 })],
  [
    '422 whose issues repeat the key',
    json({ detail: [{ loc: [apiKey], msg: echo.detail, type: apiKey }] }, { status: 422 }),
  ],
  [
    '500 that repeats the key in escapes',
    new Response(`{"detail":"${[...apiKey].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"}`, {
      status: 500,
    }),
  ],
  ['500 of text', new Response(echo.detail, { status: 500 })],
  ['302 to a signed URL', new Response(null, { status: 302, headers: { location: signedUrl } })],
  ['a request id that repeats the key', json(echo, { status: 401, headers: { 'x-request-id': apiKey } })],
  ['a content type that repeats the key', new Response('x', { headers: { 'content-type': apiKey } })],
  ['HTML with a signed URL', new Response(`<a href="${signedUrl}">${apiKey}</a>`)],
  ['a broken structure', json({ id: apiKey, audio_url: [signedUrl] })],
  ['drift', json(sampleMemory({ started_at: signedUrl, audio_url: `no uri ${signedUrl}` }))],
  ['a network fault that repeats URLs and passwords', fault],
  ['a stalled body', stalledBody],
])('after %s, neither error nor hook events show a key or a signed URL', async (_title, answer) => {
  const { events, hooks } = recordEvents();
  const client = createClient({ fetch: stubFetch(answer).fetch, hooks, timeout: 40 });
  const error = await client.getMemory('mem_1').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(events.length).toBeGreaterThan(2);
  for (const value of [error, ...events]) expect(everythingIn(value)).not.toContain('SECRET');
});

test('on the wire, errors hold no Request', async () => {
  await using server = await openServer(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('[', () => response.destroy());
    }),
  );
  const { events, hooks } = recordEvents();
  const error = await rejection(createClient({ baseUrl: server.url, hooks, retries: 0 }).listMemories());
  expect(everythingIn(error)).not.toMatch(/SECRET|Request \{|headers/);
  expect(everythingIn(events)).not.toMatch(/SECRET|Request \{/);
});
