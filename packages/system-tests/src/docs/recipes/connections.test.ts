import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { isMemoryApiError, MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import { fetchThrough } from '@memory-read/guide-code/fetch-through';
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { root } from '../../repository.ts';
import { type RunningProxy, startProxy } from './start-proxy.ts';
import { startTestApi, type TestApi } from './start-test-api.ts';

const password = 'PASSWORDSECRET';
let api: TestApi;
let proxy: RunningProxy;
let guarded: RunningProxy;
const closing: Dispatcher[] = [];

beforeAll(async () => {
  [api, proxy, guarded] = await Promise.all([startTestApi(), startProxy(), startProxy(`user:${password}`)]);
});
afterAll(() => Promise.all([api.close(), proxy[Symbol.asyncDispose](), guarded[Symbol.asyncDispose]()]));
beforeEach(() => {
  proxy.asked.length = 0;
  guarded.asked.length = 0;
});
afterEach(async () => {
  await Promise.all(closing.splice(0).map((dispatcher) => dispatcher.destroy()));
});

test('requests go through a proxy, and 50 calls through one tunnel', async () => {
  const client = createClient(new ProxyAgent({ uri: `http://${proxy.host}`, connections: 1 }));
  for (let call = 0; call < 50; call += 1) expect(await client.listMemories()).toHaveLength(3);
  expect(proxy.asked).toEqual([`passed CONNECT 127.0.0.1:${api.port}`]);
});

test('the proxy of the environment is found', async () => {
  vi.stubEnv('http_proxy', `http://${proxy.host}`);
  vi.stubEnv('no_proxy', '');
  const client = createClient(new EnvHttpProxyAgent());
  vi.unstubAllEnvs();
  expect(await client.listMemories()).toHaveLength(3);
  expect(proxy.asked).not.toEqual([]);
});

test('a proxy that asks for credentials gets them, in its address or as a token', async () => {
  const token = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
  const agents = [
    new ProxyAgent(`http://user:${password}@${guarded.host}`),
    new ProxyAgent({ uri: `http://${guarded.host}`, token }),
  ];
  for (const agent of agents) expect(await createClient(agent).listMemories()).toHaveLength(3);
  expect(guarded.asked.filter((line) => line.startsWith('passed'))).toHaveLength(2);
});

test('a proxy that refuses the credentials is a ConnectionError that tells neither them nor the key', async () => {
  const wrong = 'WRONGPASSWORDSECRET';
  const error = await failureOf(createClient(new ProxyAgent(`http://user:${wrong}@${guarded.host}`)));
  expect(error).toMatchObject({ code: 'connection', message: expect.stringContaining('proxy') });
  expect(inspect(error, { depth: null, showHidden: true })).toContain('407');
  expectNoSecret(error, wrong);
  expect(guarded.asked.every((line) => line.startsWith('refused'))).toBe(true);
});

test('a dead proxy is a ConnectionError that says what to check', async () => {
  const dead = await startProxy();
  await dead[Symbol.asyncDispose]();
  const error = await failureOf(createClient(new ProxyAgent(`http://user:${password}@${dead.host}`)));
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection' });
  expect((error as Error).message).toMatch(
    /^Failed to list memories: because the connection failed \(ECONNREFUSED\)\. Check .*any proxy/,
  );
  expectNoSecret(error, password);
});

test('50 calls one after the other share one connection where an Agent may open no more', async () => {
  const agent = new Agent({ connections: 1, keepAliveTimeout: 30_000 });
  expect(await connectionsOf('one by one', through(agent))).toBe(1);
});

test('50 calls one after the other share two connections with the global fetch', async () => {
  // A response ends a moment before its connection is free, and undici opens a second one meanwhile.
  expect(await connectionsOf('one by one')).toBeLessThanOrEqual(2);
});

test('50 calls at once open no more connections than an Agent may', async () => {
  expect(await connectionsOf('at once', through(new Agent({ connections: 2 })))).toBe(2);
});

test("undici's own timeout is a ConnectionError that names it, and a longer one waits", async () => {
  const impatient = Promise.withResolvers<void>();
  await using server = await openServer((_request, response) => void impatient.promise.then(() => response.end('[]')));
  const clientOf = (agent: Agent) =>
    new MemoryClient({ baseUrl: server.url, apiKey: 'mrk_test', retries: 0, ...through(agent) });
  const patient = clientOf(new Agent({ headersTimeout: 900_000, bodyTimeout: 900_000 })).listMemories();
  const error = await failureOf(clientOf(new Agent({ headersTimeout: 20 })));
  impatient.resolve();
  expect(error).toMatchObject({
    code: 'connection',
    message: expect.stringMatching(/\(UND_ERR_HEADERS_TIMEOUT\)\. Raise headersTimeout/),
  });
  expect(await patient).toEqual([]);
});

const nodes = [process.execPath, join(import.meta.dirname, '../../../node_modules/node-oldest/bin/node')];

test.each(nodes.filter(existsSync))("undici's proxy serves the client on %s", async (node) => {
  const script = join(import.meta.dirname, 'list-through-proxy.ts');
  expect(await run(node, script, `http://${proxy.host}`)).toBe('3\n');
  expect(proxy.asked).toEqual([`passed CONNECT 127.0.0.1:${api.port}`]);
});

test('NODE_USE_ENV_PROXY puts a proxy before the global fetch, without undici', async () => {
  const example = join(root, 'examples', 'read-memories', 'read-memories.ts');
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  vi.stubEnv('HTTP_PROXY', `http://${proxy.host}`);
  vi.stubEnv('NO_PROXY', '');
  expect(await run(process.execPath, example)).toContain('user_1-1');
  vi.unstubAllEnvs();
  expect(proxy.asked[0]).toContain(`127.0.0.1:${api.port}`);
});

function through(dispatcher: Dispatcher) {
  closing.push(dispatcher);
  return { fetch: fetchThrough(dispatcher) };
}

function createClient(dispatcher: Dispatcher): MemoryClient {
  return new MemoryClient({ baseUrl: api.url, apiKey: api.keyOf(), retries: 0, ...through(dispatcher) });
}

async function failureOf(client: MemoryClient): Promise<unknown> {
  const error = await client.listMemories().catch((caught: unknown) => caught);
  expect(isMemoryApiError(error)).toBe(true);
  return error;
}

function expectNoSecret(error: unknown, secret: string): void {
  const shown = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error);
  for (const word of [secret, Buffer.from(`user:${secret}`).toString('base64'), api.keyOf()]) {
    expect(shown).not.toContain(word);
  }
}

async function run(node: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    node,
    ['--experimental-strip-types', '--conditions=@memory-read/source', ...args],
    { env: { ...process.env, MEMORY_API_URL: api.url, MEMORY_API_KEY: api.keyOf() } },
  );
  return stdout;
}

/** How many connections 50 calls of a client open. */
async function connectionsOf(way: 'one by one' | 'at once', options: MemoryClientOptions = {}): Promise<number> {
  let connections = 0;
  await using server = await openServer((_request, response) => response.end('[]'));
  server.on('connection', () => {
    connections += 1;
  });
  const client = new MemoryClient({ baseUrl: server.url, apiKey: 'mrk_test', ...options });
  if (way === 'at once') await Promise.all(Array.from({ length: 50 }, () => client.listMemories()));
  else for (let call = 0; call < 50; call += 1) await client.listMemories();
  return connections;
}

async function openServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
