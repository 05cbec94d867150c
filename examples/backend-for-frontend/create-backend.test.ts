import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { createMemories } from '@memory-read/fixtures';
import { createHmacMediaSigner, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBackend } from './create-backend.ts';

const apiKey = 'KEYSECRET_0123456789';
const records = createMemories({ count: 12, seed: 7, now: '2026-01-01T00:00:00Z' });
const withAudio = records.find(({ media }) => media.audio)?.id ?? '';
const withoutVideo = records.find(({ media }) => !media.video)?.id ?? '';

let pages: string;
let api: RunningServer;
let backend: RunningServer;
let answer: (request: Request) => Response | Promise<Response>;
let errors: string[];

beforeEach(async () => {
  pages = mkdtempSync(join(tmpdir(), 'pages-'));
  writeFileSync(join(pages, 'index.html'), '<!doctype html><title>Pages</title>');
  answer = await createReferenceApi();
  errors = [];
  api = await serve({ fetch: (request) => answer(request), port: 0 });
  const app = createBackend({
    apiUrl: api.url,
    apiKey,
    pages,
    hosts: ['app.example'],
    onError: ({ message }) => errors.push(message),
  });
  backend = await serve({ fetch: (request) => app.fetch(request), port: 0, onError: () => {} });
});

afterEach(async () => {
  await backend.close();
  await api.close();
  rmSync(pages, { recursive: true });
});

test('the client without a key reads the memories of the account', async () => {
  const client = new MemoryClient({ baseUrl: `${backend.url}/api`, auth: 'none' });
  const memories = await client.listMemories();
  expect(memories.map(({ id }) => id).sort()).toEqual(records.map(({ id }) => id).sort());
  expect((await client.getMemory(withAudio)).id).toBe(withAudio);
});

test('the beginning of a list arrives before the API has sent its end', async () => {
  let end = () => {};
  answer = () =>
    json(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('['));
          end = () => {
            controller.enqueue(new TextEncoder().encode(']'));
            controller.close();
          };
        },
      }),
    );
  const reader = (await fetch(`${backend.url}/api/v1/memories`)).body?.getReader();
  expect(String.fromCharCode(...((await reader?.read())?.value ?? []))).toBe('[');
  end();
  expect(String.fromCharCode(...((await reader?.read())?.value ?? []))).toBe(']');
});

test('cancels the request to the API when the browser leaves, before the response and in the middle of a list', async () => {
  for (const isAnswered of [false, true]) {
    const left = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    answer = ({ signal }) => {
      signal.addEventListener('abort', () => left.resolve());
      asked.resolve();
      if (!isAnswered) return new Promise(() => {});
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('[')) });
      return json(body);
    };
    const leaving = new AbortController();
    const call = fetch(`${backend.url}/api/v1/memories`, { signal: leaving.signal });
    await (isAnswered ? call : asked.promise);
    leaving.abort();
    await call.then((response) => response.text()).catch(() => {});
    await left.promise;
  }
  expect(errors).toEqual([]);
});

test.each([
  [401, 'Invalid API key'],
  [404, 'Memory not found'],
  [422, 'Malformed'],
  [503, 'Later'],
])('a %i of the API arrives with its own words', async (status, detail) => {
  const headers = { 'retry-after': '0', 'www-authenticate': 'Bearer', 'set-cookie': 'session=1', 'x-internal': '1' };
  answer = () => Response.json({ detail }, { status, headers });
  for (const path of ['/v1/memories/mem_1', '/media/mem_1/audio']) {
    const response = await fetch(`${backend.url}/api${path}`, { headers: { 'x-request-id': 'mine' } });
    expect([response.status, await response.json()]).toEqual([status, { detail }]);
    for (const name of ['www-authenticate', 'set-cookie', 'x-internal']) expect(response.headers.get(name)).toBeNull();
    if (path.startsWith('/v1')) expect(response.headers.get('retry-after')).toBe('0');
  }
});

test.each([
  [
    'a page of a gateway',
    504,
    () => new Response('<h1>Timeout</h1>', { status: 504, headers: { 'content-type': 'text/html' } }),
  ],
  ['a redirect', 502, () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } })],
  [
    'a page instead of a list',
    502,
    () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } }),
  ],
])('%s arrives as an error of the API: %i', async (_, status, respond) => {
  answer = respond;
  const response = await fetch(`${backend.url}/api/v1/memories`, { redirect: 'manual' });
  expect([response.status, await response.json()]).toEqual([status, { detail: 'Bad gateway' }]);
  expect(errors).toEqual([
    expect.stringMatching(/^Failed to forward GET \/v1\/memories: the API answered \d+ without JSON\. /),
  ]);
});

test('an API that cannot be reached is a 502 in the words of the API', async () => {
  await api.close();
  const response = await fetch(`${backend.url}/api/v1/memories`);
  expect([response.status, await response.json()]).toEqual([502, { detail: 'Bad gateway' }]);
  expect(errors).toHaveLength(1);
});

test('a lasting address leads to a fresh URL of the media, which no cache keeps', async () => {
  const response = await fetch(`${backend.url}/api/media/${withAudio}/audio`, { redirect: 'manual' });
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toMatch(/^https:\/\/media\.example\/.*signature=/);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
});

test.each([
  [`${withoutVideo}/video`, 404, 'Media not found'],
  ['mem_none/audio', 404, 'Memory not found'],
  [`${withAudio}/subtitles`, 404, 'Not Found'],
  [`${'x'.repeat(1_100)}/audio`, 422, 'The memory id cannot be used'],
])('there is no media at %s', async (path, status, detail) => {
  const response = await fetch(`${backend.url}/api/media/${path}`, { redirect: 'manual' });
  expect([response.status, await response.json()]).toEqual([status, { detail }]);
});

test.each([
  ['..', 404],
  ['%2e%2e', 404],
  ['.%2E/keys', 404],
  ['..%2Fkeys', 422],
  ['..%2F..%2Fadmin', 422],
  ['mem_1%2F..%2F..%2Fadmin', 422],
  ['mem_1%2Faudio', 422],
  ['..%5cadmin', 422],
  ['%252e%252e', 422],
  ['..%252fadmin', 422],
  ['%zz', 422],
])('the path %s of a browser does not become another path of the API: %i', async (path, status) => {
  const paths: string[] = [];
  answer = ({ url }) => {
    paths.push(new URL(url).pathname);
    return Response.json({});
  };
  // fetch would remove dot segments before it sends the path.
  for (const address of [`/api/v1/memories/${path}`, `/api/media/${path}/audio`]) {
    expect(await statusOf(address), address).toBe(status);
  }
  expect(paths).toEqual([]);
});

test.each([
  ['a%20b', 'a%20b'],
  ['a+b%3F%23', 'a%2Bb%3F%23'],
  ['...', '...'],
  ['%61..b', 'a..b'],
  ['caf%C3%A9', 'caf%C3%A9'],
])('the id %s reaches the API as %s', async (id, encoded) => {
  const paths: string[] = [];
  answer = ({ url }) => {
    paths.push(new URL(url).pathname);
    return Response.json({});
  };
  expect(await statusOf(`/api/v1/memories/${id}`)).toBe(200);
  expect(paths).toEqual([`/v1/memories/${encoded}`]);
});

test('the key is in no response and in no message, and nothing but the key reaches the API', async () => {
  const requests: Request[] = [];
  const reference = answer;
  answer = (request) => {
    requests.push(request);
    return reference(request);
  };
  const paths = [
    '/',
    '/api/v1/memories',
    '/api/v1/memories/%25zz',
    `/api/media/${withAudio}/audio`,
    '/api/v1',
    '/none',
  ];
  const headers = { cookie: 'session=1', authorization: 'Bearer of-the-browser' };
  const seen = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`${backend.url}${path}?limit=1`, { headers, redirect: 'manual' });
      return [...response.headers].join() + (await response.text());
    }),
  );
  expect([...seen, ...errors].filter((text) => text.includes(apiKey))).toEqual([]);
  expect(requests.length).toBeGreaterThan(2);
  for (const request of requests) {
    expect(request.headers.get('authorization')).toBe(`Bearer ${apiKey}`);
    expect(request.headers.get('cookie')).toBeNull();
    expect(new URL(request.url).search).toBe('');
  }
});

test.each([
  ['localhost', 200],
  ['LOCALHOST:8788', 200],
  ['127.0.0.1', 200],
  ['[::1]:8788', 200],
  ['app.example', 200],
  ['app.example:443', 200],
  ['evil.example', 403],
  ['evil.example:8788', 403],
  ['localhost.evil.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['evil.example@localhost', 400],
  ['192.0.2.1', 403],
])('the host %s, to which a page can point its own name, gets a %i for data, media and pages', async (host, status) => {
  const paths = ['/', '/api/v1/memories', `/api/v1/memories/${withAudio}`, `/api/media/${withAudio}/audio`];
  const statuses = await Promise.all(paths.map((path) => statusOf(path, host)));
  expect(statuses).toEqual(status === 200 ? [200, 200, 200, 302] : paths.map(() => status));
});

test('pages are served with a policy that lets media come from the API alone', async () => {
  const response = await fetch(`${backend.url}/`);
  expect(await response.text()).toContain('<title>Pages</title>');
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain(`media-src 'self' blob: ${api.url}`);
});

function statusOf(path: string, host?: string): Promise<number | undefined> {
  const { hostname, port } = new URL(backend.url);
  return new Promise((resolve, reject) => {
    const request = get({ hostname, port, path, headers: { ...(host && { host }) }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
}

function json(body: ReadableStream): Response {
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

async function createReferenceApi(): Promise<typeof answer> {
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'user_1' });
  await store.putMemories('user_1', records);
  const mediaSigner = createHmacMediaSigner({
    baseUrl: 'https://media.example',
    secrets: [{ id: 'test', secret: 'thirty-two-bytes-that-none-guess' }],
  });
  const authenticate = async (key: string) => (key === apiKey ? { userId: 'user_1' } : undefined);
  return createMemoryApi({ store, authenticate, mediaSigner }).fetch;
}
