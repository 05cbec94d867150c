import { once } from 'node:events';
import { get, type RequestListener } from 'node:http';
import { type ServerFault, startMockServer } from '@memory-read/msw/server';
import { serve } from '@memory-read/server/node';
import { type Listening, listen } from '@memory-read/test-kit/listen';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const piece = Buffer.alloc(65_536, 'a');
const head = 'HTTP/1.1 200 OK\r\ncontent-type: audio/wav\r\n\r\n';
/** What the storage does after it has received a request. */
const storageStates: Record<string, ServerFault> = {
  'sends without end': { steps: [head, { flood: `${piece}` }] },
  stalls: { stop: { share: 0.5 }, by: 'stall' },
  'has not responded yet': 'stall',
};
const api = await startMockServer({ memories: [], apiKey: 'sk_test_key' });
const onMedia = { match: { operation: 'media' } } as const;

type Handlers = typeof import('@memory-read/guide-code/media-handlers');
let handlers: Handlers;

beforeAll(async () => {
  vi.stubEnv('MEMORY_API_URL', api.baseUrl);
  vi.stubEnv('MEMORY_API_KEY', api.apiKey);
  handlers = await import('@memory-read/guide-code/media-handlers');
  await handlers.fastifyApp.ready();
});
beforeEach(() => {
  api.reset();
  api.memories.add({ id: 'mem_1', media: { audio: piece } });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  // Backoffs are random. With this value, they are as short as possible.
  vi.spyOn(Math, 'random').mockReturnValue(0.001);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await api.close();
});

const apps: Record<string, () => Promise<Listening>> = {
  'Node.js': () => listen(handlers.server.listeners('request')[0] as RequestListener),
  Express: () => listen(handlers.expressApp),
  Fastify: () => listen((request, response) => handlers.fastifyApp.routing(request, response)),
  Koa: () => listen(handlers.koaApp.callback()),
  Hono: () => serveFetch(handlers.honoApp.fetch),
  'Next.js': () => serveFetch((request) => handlers.passAudioOn('mem_1', request)),
};

async function serveFetch(fetch: (request: Request) => Response | Promise<Response>): Promise<Listening> {
  const server = await serve({ fetch: async (request) => fetch(request), hostname: '127.0.0.1', port: 0 });
  return { url: server.url, [Symbol.asyncDispose]: () => server.close() };
}

const names = Object.keys(apps);

test.each(names)('the handler of the guide for %s passes on the bytes and their type', async (name) => {
  await using app = (await apps[name]?.()) ?? expect.fail();
  const response = await fetch(`${app.url}/audio/mem_1`);
  expect(response.headers.get('content-type')).toBe('audio/wav');
  expect(Buffer.from(await response.arrayBuffer()).equals(piece)).toBe(true);
});

test.each(names)('the visitor of %s sees that the storage broke off', async (name) => {
  await using app = (await apps[name]?.()) ?? expect.fail();
  api.faults.always({ stop: { share: 0.5 }, by: 'reset' }, onMedia);
  const response = await fetch(`${app.url}/audio/mem_1`);
  await expect(response.arrayBuffer()).rejects.toThrow('terminated');
});

test.each(names.flatMap((name) => Object.keys(storageStates).map((state) => [name, state] as const)))(
  'with %s, a visitor who leaves while the storage %s ends its connection',
  async (name, state) => {
    await using app = (await apps[name]?.()) ?? expect.fail();
    api.faults.always(storageStates[state] ?? expect.fail(), onMedia);
    const visit = get(`${app.url}/audio/mem_1`);
    visit.on('error', () => {});
    if (state === 'has not responded yet') await api.nextRequest({ operation: 'media' });
    else
      await once(
        (await once(visit, 'response'))[0].on('error', () => {}),
        'data',
      );
    visit.destroy();
    // Sooner than the time limits of a download, which are 30 s.
    await vi.waitFor(
      () => expect(api.requests.filter(({ to }) => to === 'media')).toMatchObject([{ ended: 'aborted' }]),
      { timeout: 10_000 },
    );
  },
);
