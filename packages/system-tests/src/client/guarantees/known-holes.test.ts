import { Console } from 'node:console';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { PassThrough } from 'node:stream';
import { MemoryClient, type MemoryClientOptions, responseInfo } from '@memory-read/client';
import { createMemories } from '@memory-read/fixtures';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startApiServer } from './api-server.ts';

// Each test stands for a hole that well-known SDKs have: docs/guides/client-guarantees.md tells which.

const apiKey = 'mrk_KEYSECRET0123456789';
const now = new Date('2026-08-20T10:00:00Z');
const [record] = createMemories({ count: 1, seed: 1, now });
const { media: _media, ...fields } = record ?? expect.fail('There is no sample.');
const memory = { ...fields, user_id: 'user_1', audio_url: null, video_url: null, preview_image_url: null };

beforeEach(() => {
  // Chance decides only how long a backoff is, and here it is short.
  vi.spyOn(Math, 'random').mockReturnValue(0.000_001);
});
afterEach(() => {
  vi.restoreAllMocks();
});

function createClient(baseUrl: string, options: MemoryClientOptions = {}) {
  return new MemoryClient({ baseUrl, apiKey, ...options });
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('The call was expected to fail.'),
    (reason: unknown) => reason,
  );

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** What `console.log` prints. */
function logged(value: unknown): string {
  const output = new PassThrough({ encoding: 'utf8' });
  new Console(output).log(value);
  return output.read() as string;
}

test('a 404 is an error of its own class, with the request id', async () => {
  await using server = await startApiServer(json(404, { detail: 'Memory not found' }));
  const error = await failure(createClient(server.url).getMemory('mem_0'));
  expect(error).toMatchObject({
    name: 'MemoryNotFoundError',
    code: 'not_found',
    memoryId: 'mem_0',
    requestId: 'req_1',
  });
});

test('neither a logged error nor a logged client shows the key', async () => {
  await using server = await startApiServer(json(401, { detail: `Invalid API key ${apiKey}` }));
  const client = createClient(server.url);
  const error = await failure(client.listMemories());
  for (const shown of [logged(error), logged(client), JSON.stringify(error), JSON.stringify(client)]) {
    expect(shown).not.toContain('KEYSECRET');
  }
  expect(logged(error)).toContain('AuthenticationError: Failed to list memories');
});

test.each<[string, RequestListener]>([
  ['a body that stalls', (_request, response) => void response.writeHead(200).write('{"id":')],
  ['the body of an error that stalls', (_request, response) => void response.writeHead(404).write('{"det')],
  ['headers that never come', () => {}],
])('%s ends with the timeout', async (_title, answer) => {
  await using server = await startApiServer(answer);
  const error = await failure(createClient(server.url, { timeout: 100, retries: 0 }).getMemory('mem_1'));
  expect(error).toMatchObject({ name: 'RequestTimeoutError', limit: 'attempt', timeoutMs: 100 });
});

test("an abort in flight rejects with the signal's own reason and closes the connection", async () => {
  const asked = Promise.withResolvers<void>();
  await using server = await startApiServer(() => asked.resolve());
  const controller = new AbortController();
  const call = failure(createClient(server.url).listMemories({ signal: controller.signal }));
  await asked.promise;
  const [connection] = server.connections;
  const closed = once(connection ?? expect.fail('There is no connection.'), 'close');
  const reason = new Error('The user went away.');
  controller.abort(reason);
  expect(await call).toBe(reason);
  await closed;
});

test("an abort during the backoff rejects at once, with the signal's own reason", async () => {
  await using server = await startApiServer(json(429, { detail: 'Slow down' }, { 'retry-after': '100' }));
  const controller = new AbortController();
  const reason = new Error('The user went away.');
  const hooks = { onRetry: () => controller.abort(reason) };
  expect(await failure(createClient(server.url, { hooks }).listMemories({ signal: controller.signal }))).toBe(reason);
  expect(server.targets).toHaveLength(1);
});

test.each<[string, RequestListener]>([
  ['a 500', json(500, { detail: 'Internal server error' })],
  ['a connection that is reset', (request) => void request.socket.resetAndDestroy()],
  ['a 200 that is HTML', (_request, response) => void response.end('<html>Sign in to this network</html>')],
  ['a 200 that is broken JSON', (_request, response) => void response.end('{"id": "mem_1",')],
])('%s is tried three times, and the third attempt may succeed', async (_title, answer) => {
  await using broken = await startApiServer(answer);
  await failure(createClient(broken.url).getMemory('mem_1'));
  expect(broken.targets).toHaveLength(3);

  let attempts = 0;
  await using mended = await startApiServer((request, response) => {
    attempts += 1;
    (attempts < 3 ? answer : json(200, memory))(request, response);
  });
  const read = await createClient(mended.url).getMemory('mem_1');
  expect(read).toEqual(memory);
  expect(responseInfo(read)?.attempts).toBe(3);
});

test.each(['bearer', 'x-api-key'] as const)(
  'a redirect to another host is not followed, and that host receives nothing of the %s key',
  async (auth) => {
    await using other = await startApiServer(json(200, memory));
    await using server = await startApiServer(json(302, {}, { location: `${other.url}/v1/memories/mem_1` }));
    const error = await failure(createClient(server.url, { auth }).getMemory('mem_1'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', status: 302 });
    expect(other.connections.size).toBe(0);
  },
);

test.each<[string, string, string]>([
  ['HTML', '<html>', 'not_json'],
  ['broken JSON', '{"id": "mem_1",', 'not_json'],
  ['another shape', '{"ok": true}', 'structure'],
  ['an array', '[]', 'structure'],
])('a 200 with %s never resolves', async (_title, body, reason) => {
  await using server = await startApiServer((_request, response) => void response.end(body));
  const error = await failure(createClient(server.url, { retries: 0 }).getMemory('mem_1'));
  expect(error).toMatchObject({ name: 'InvalidResponseError', reason, requestId: 'req_1' });
});

test('an id cannot leave its place in the path', async () => {
  await using server = await startApiServer(json(200, memory));
  await createClient(server.url).getMemory('../../admin?x=1#y');
  expect(server.targets).toEqual(['/v1/memories/..%2F..%2Fadmin%3Fx%3D1%23y']);
});

test.each(['.', '..', ''])('the id %j rejects, and nothing is sent', async (id) => {
  await using server = await startApiServer(json(200, memory));
  const call = createClient(server.url).getMemory(id);
  expect(await failure(call)).toMatchObject({ name: 'ConfigurationError' });
  expect(server.connections.size).toBe(0);
});

test('a Retry-After of days is no wait of days', async () => {
  await using server = await startApiServer(json(429, { detail: 'Slow down' }, { 'retry-after': '277403' }));
  const error = await failure(createClient(server.url).listMemories());
  expect(error).toMatchObject({ name: 'RateLimitError', retryAfterMs: 277_403_000, request: { attempts: 1 } });
});

test('new fields at every depth arrive, and break nothing', async () => {
  const newer = {
    ...memory,
    state: 'archived',
    summary: { quick_summary: 'We met.', key_takeaways: [], mood: 'good' },
    transcript: { segments: [], language: { code: 'en' } },
  };
  await using server = await startApiServer(json(200, newer));
  expect(await createClient(server.url).getMemory('mem_1')).toEqual(newer);
});

test('10,000 broken memories are one short error', async () => {
  const broken = Array.from({ length: 10_000 }, () => ({ ...memory, id: 7, name: null, transcript: 'KEYSECRET' }));
  await using server = await startApiServer(json(200, broken));
  const error = await failure(createClient(server.url).listMemories());
  expect(error).toMatchObject({ name: 'InvalidResponseError', truncated: true });
  expect((error as { issues: unknown[] }).issues).toHaveLength(20);
  expect(logged(error).length).toBeLessThan(10_000);
  expect((error as Error).message.length).toBeLessThan(300);
});
