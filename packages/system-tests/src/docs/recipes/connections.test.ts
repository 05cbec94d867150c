import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { fetchThrough } from '@memory-read/guide-code/fetch-through';
import { createInMemoryStore } from '@memory-read/server';
import { listen } from '@memory-read/test-kit/listen';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { root } from '@memory-read/test-kit/repository';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { startProxy } from './start-proxy.ts';

const password = 'PASSWORDSECRET';
const store = createInMemoryStore();
const { key } = await addAccount(store, 'user_1', [sampleRecord()]);
const [api, proxy, guarded] = await Promise.all([serveMemories(store), startProxy(), startProxy(`user:${password}`)]);
const closing: Dispatcher[] = [];
afterAll(() => Promise.all([api.close(), proxy[Symbol.asyncDispose](), guarded[Symbol.asyncDispose]()]));
afterEach(async () => {
  proxy.asked.length = 0;
  guarded.asked.length = 0;
  vi.unstubAllEnvs();
  await Promise.all(closing.splice(0).map((dispatcher) => dispatcher.destroy()));
});

test('sends requests through a proxy, and 50 calls through one tunnel', async () => {
  const client = createClient(new ProxyAgent({ uri: `http://${proxy.host}`, connections: 1 }));
  for (let call = 0; call < 50; call += 1) expect(await client.listMemories()).toHaveLength(1);
  expect(proxy.asked).toEqual([`passed CONNECT 127.0.0.1:${api.port}`]);
});

test('uses the proxy of the environment', async () => {
  vi.stubEnv('http_proxy', `http://${proxy.host}`);
  vi.stubEnv('no_proxy', '');
  expect(await createClient(new EnvHttpProxyAgent()).listMemories()).toHaveLength(1);
  expect(proxy.asked).not.toEqual([]);
});

test('sends credentials to a proxy, from its URL or as a token', async () => {
  const token = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
  const agents = [
    new ProxyAgent(`http://user:${password}@${guarded.host}`),
    new ProxyAgent({ uri: `http://${guarded.host}`, token }),
  ];
  for (const agent of agents) expect(await createClient(agent).listMemories()).toHaveLength(1);
  expect(guarded.asked.filter((line) => line.startsWith('passed'))).toHaveLength(2);
});

test('a proxy that rejects the credentials is a ConnectionError without the credentials and the key', async () => {
  const wrong = 'WRONGPASSWORDSECRET';
  const error = await failureOf(createClient(new ProxyAgent(`http://user:${wrong}@${guarded.host}`)));
  expect(error).toMatchObject({ code: 'connection', message: expect.stringContaining('proxy') });
  expect(inspect(error, { depth: null, showHidden: true })).toContain('407');
  expectNoSecret(error, wrong);
  expect(guarded.asked.every((line) => line.startsWith('refused'))).toBe(true);
});

test('an unreachable proxy is a ConnectionError that says what to check', async () => {
  const dead = await startProxy();
  await dead[Symbol.asyncDispose]();
  const error = await failureOf(createClient(new ProxyAgent(`http://user:${password}@${dead.host}`)));
  const message = expect.stringMatching(
    /^Failed to list memories: the connection to \S+ failed \(ECONNREFUSED\)\. Check .*any proxy/,
  );
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection', message });
  expectNoSecret(error, password);
});

test.each([
  ['one by one share one connection where an Agent may open no more', 1, new Agent({ connections: 1 })],
  // A response ends shortly before its connection is free, so undici opens a second connection.
  ['one by one share two connections with the global fetch', 2, undefined],
  ['at once open no more connections than an Agent may', 2, new Agent({ connections: 2 })],
])('50 calls %s', async (way, most, agent) => {
  const connections = new Set();
  await using server = await listen(({ socket }, response) => {
    connections.add(socket);
    response.end('[]');
  });
  const client = createClient(agent, server.url);
  const calls = Array.from({ length: 50 }, () => () => client.listMemories());
  if (way.startsWith('at once')) await Promise.all(calls.map((call) => call()));
  else for (const call of calls) await call();
  expect(connections.size).toBeLessThanOrEqual(most);
});

test('a timeout of undici is a ConnectionError that names it, and a longer one waits', async () => {
  const impatient = Promise.withResolvers<void>();
  await using server = await listen((_request, response) => void impatient.promise.then(() => response.end('[]')));
  const longer = new Agent({ headersTimeout: 900_000, bodyTimeout: 900_000 });
  const patient = createClient(longer, server.url).listMemories();
  const error = await failureOf(createClient(new Agent({ headersTimeout: 20 }), server.url));
  impatient.resolve();
  const message = expect.stringMatching(/\(UND_ERR_HEADERS_TIMEOUT\)\. Check the network, or raise headersTimeout/);
  expect(error).toMatchObject({ code: 'connection', message });
  expect(await patient).toEqual([]);
});

const nodes = [process.execPath, join(import.meta.dirname, '../../../node_modules/node-oldest/bin/node')];

test.each(nodes.filter(existsSync))('the client works through the proxy of undici on %s', async (node) => {
  const script = join(import.meta.dirname, 'list-through-proxy.ts');
  expect(await run(node, script, `http://${proxy.host}`)).toBe('1\n');
  expect(proxy.asked).toEqual([`passed CONNECT 127.0.0.1:${api.port}`]);
});

test('NODE_USE_ENV_PROXY applies a proxy to the global fetch, without undici', async () => {
  const example = join(root, 'examples', 'read-memories', 'read-memories.ts');
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  vi.stubEnv('HTTP_PROXY', `http://${proxy.host}`);
  vi.stubEnv('NO_PROXY', '');
  expect(await run(process.execPath, example)).toContain('mem_1');
  expect(proxy.asked[0]).toContain(`127.0.0.1:${api.port}`);
});

function createClient(dispatcher: Dispatcher | undefined, baseUrl = api.url): MemoryClient {
  if (!dispatcher) return new MemoryClient({ baseUrl, apiKey: key, retries: 0 });
  closing.push(dispatcher);
  return new MemoryClient({ baseUrl, apiKey: key, retries: 0, fetch: fetchThrough(dispatcher) });
}

async function failureOf(client: MemoryClient): Promise<unknown> {
  const error = await client.listMemories().catch((caught: unknown) => caught);
  expect(isMemoryApiError(error)).toBe(true);
  return error;
}

function expectNoSecret(error: unknown, secret: string): void {
  const shown = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error);
  for (const word of [secret, Buffer.from(`user:${secret}`).toString('base64'), key]) expect(shown).not.toContain(word);
}

async function run(node: string, ...args: readonly string[]): Promise<string> {
  const flags = ['--experimental-strip-types', '--conditions=@memory-read/source'];
  const env = { ...process.env, MEMORY_API_URL: api.url, MEMORY_API_KEY: key };
  const { stdout } = await promisify(execFile)(node, [...flags, ...args], { env });
  return stdout;
}
