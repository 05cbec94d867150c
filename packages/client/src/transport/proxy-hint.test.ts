import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientOptions } from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { runtime } from './deadline.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const proxy = 'http://user:PASSWORD@proxy.example.com:3128';
const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy', 'NODE_USE_ENV_PROXY'];

async function failedConnection(environment: Record<string, string>, options: MemoryClientOptions = {}) {
  for (const name of names) vi.stubEnv(name, environment[name] ?? '');
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
  });
  const baseUrl = 'https://api.example.com:8443';
  const client = new MemoryClient({ baseUrl, apiKey: 'sk_test', retries: 0, ...options });
  return ((await rejection(client.listMemories())) as Error).message;
}

test.each([
  ['HTTPS_PROXY', 'https://api.example.com:8443'],
  ['https_proxy', 'https://api.example.com:8443'],
  ['HTTP_PROXY', 'http://127.0.0.1:4000'],
])('a failed connection names %s, which Node.js does not use, and never its value', async (name, baseUrl) => {
  const message = await failedConnection({ [name]: proxy }, { baseUrl });
  expect(message).toBe(
    `Failed to list memories: the connection to ${new URL(baseUrl).host} failed (ECONNREFUSED). Check baseUrl and the ` +
      `network, or set NODE_USE_ENV_PROXY=1: without it, Node.js does not use ${name}.`,
  );
});

test('a download whose connection fails names the proxy of its storage, unless it has a fetch option', async () => {
  vi.stubEnv('HTTPS_PROXY', proxy);
  vi.stubEnv('NO_PROXY', 'api.example.com');
  const fetch = async ({ url }: Request) => {
    if (url.startsWith('https://media')) throw new TypeError('fetch failed');
    return Response.json(sampleMemory({ audio_url: 'https://media.example.com/audio' }));
  };
  vi.stubGlobal('fetch', (...parameters: ConstructorParameters<typeof Request>) => fetch(new Request(...parameters)));
  vi.spyOn(runtime, 'sleep').mockResolvedValue();
  const options = { baseUrl: 'https://api.example.com', apiKey: 'sk_test' };
  const failure = (more: MemoryClientOptions) =>
    rejection(new MemoryClient({ ...options, ...more }).openMedia('mem_1', 'audio'));
  expect(await failure({})).toMatchObject({
    message: expect.stringMatching(
      /failed\. Check the network, .*, or set NODE_USE_ENV_PROXY=1: without it, Node\.js does not use HTTPS_PROXY\.$/,
    ),
  });
  expect(await failure({ fetch })).toMatchObject({ message: expect.not.stringContaining('HTTPS_PROXY') });
});

const unused = ' or set NODE_USE_ENV_PROXY=1: without it, Node.js does not use HTTPS_PROXY.';

test.each<[string, Record<string, string>, end: string]>([
  ['the proxy of the other scheme', { HTTPS_PROXY: '', HTTP_PROXY: proxy }, ' and the network.'],
  ['a proxy that Node.js uses', { NODE_USE_ENV_PROXY: '1' }, ' and the network.'],
  ['NO_PROXY of every host', { NO_PROXY: '*' }, ' and the network.'],
  ['NO_PROXY of this host', { NO_PROXY: 'localhost, API.example.com' }, ' and the network.'],
  ['NO_PROXY of this host and port', { no_proxy: 'api.example.com:8443' }, ' and the network.'],
  ['NO_PROXY of the domain', { NO_PROXY: 'localhost .example.com' }, ' and the network.'],
  ['NO_PROXY of every name of the domain', { NO_PROXY: '*.example.com' }, ' and the network.'],
  ['NO_PROXY of another host', { NO_PROXY: ',ple.com,example.org' }, unused],
])('with %s, the advice for a failed connection fits', async (_title, environment, end) => {
  const message = await failedConnection({ HTTPS_PROXY: proxy, ...environment });
  expect(message.slice(-end.length)).toBe(end);
});

test('only Node.js leaves the variables unused, and only without a fetch option', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  expect(await failedConnection({ HTTPS_PROXY: proxy }, { fetch })).not.toContain('HTTPS_PROXY');
  vi.stubGlobal('navigator', { userAgent: 'Bun/1.4.4' });
  expect(await failedConnection({ HTTPS_PROXY: proxy })).not.toContain('HTTPS_PROXY');
});
