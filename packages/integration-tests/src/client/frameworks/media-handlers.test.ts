import { once } from 'node:events';
import { get, type RequestListener, type ServerResponse } from 'node:http';
import { serve } from '@memory-read/server/node';
import { type Listening, listen } from '@memory-read/test-kit/listen';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const piece = Buffer.alloc(65_536, 'a');
/** What the storage does after it has received a request. */
const storageStates: Record<string, (response: ServerResponse) => void> = {
  'sends without end': (response) => {
    const send = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', send);
    send();
  },
  stalls: (response) => response.write(piece),
  'has not responded yet': () => {},
};
let answer: (response: ServerResponse) => void;
/** The responses of the storage. */
let opened: ServerResponse[];

const storage = await listen((_request, response) => {
  opened.push(response);
  response.setHeader('content-type', 'audio/wav');
  answer(response);
});
const api = await listen((_request, response) => {
  const memory = sampleMemory({ id: 'mem_1', audio_url: `${storage.url}/audio.wav?signature=1` });
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(memory));
});

type Handlers = typeof import('@memory-read/guide-code/media-handlers');
let handlers: Handlers;

beforeAll(async () => {
  vi.stubEnv('MEMORY_API_URL', api.url);
  vi.stubEnv('MEMORY_API_KEY', 'sk_test_key');
  handlers = await import('@memory-read/guide-code/media-handlers');
  await handlers.fastifyApp.ready();
});
beforeEach(() => {
  opened = [];
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await api[Symbol.asyncDispose]();
  await storage[Symbol.asyncDispose]();
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
  answer = (response) => response.end(piece);
  const response = await fetch(`${app.url}/audio/mem_1`);
  expect(response.headers.get('content-type')).toBe('audio/wav');
  expect(Buffer.from(await response.arrayBuffer()).equals(piece)).toBe(true);
});

test.each(names)('the visitor of %s sees that the storage broke off', async (name) => {
  await using app = (await apps[name]?.()) ?? expect.fail();
  answer = (response) => void response.write(piece, () => response.destroy());
  const response = await fetch(`${app.url}/audio/mem_1`);
  await expect(response.arrayBuffer()).rejects.toThrow('terminated');
});

test.each(names.flatMap((name) => Object.keys(storageStates).map((state) => [name, state] as const)))(
  'with %s, a visitor who leaves while the storage %s ends its connection',
  async (name, state) => {
    await using app = (await apps[name]?.()) ?? expect.fail();
    answer = storageStates[state] ?? expect.fail();
    const visit = get(`${app.url}/audio/mem_1`);
    visit.on('error', () => {});
    if (state === 'has not responded yet') await vi.waitUntil(() => opened.length > 0);
    else
      await once(
        (await once(visit, 'response'))[0].on('error', () => {}),
        'data',
      );
    // Sooner than the time limits of a download, which are 30 s.
    const closed = once(opened[0] ?? expect.fail(), 'close', { signal: AbortSignal.timeout(10_000) });
    visit.destroy();
    await closed;
    expect(opened).toHaveLength(1);
  },
);
