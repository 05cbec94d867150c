import type { RequestListener } from 'node:http';
import { listen } from '@memory-read/test-kit/listen';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

let answer: { status: number; body: object; headers?: Record<string, string> };
const gateway = await listen((_request, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json', 'x-gateway': '1', ...answer.headers });
  response.end(JSON.stringify(answer.body));
});

type Handlers = typeof import('@memory-read/guide-code/framework-handlers');
let handlers: Handlers;

beforeAll(async () => {
  vi.stubEnv('MEMORY_API_URL', gateway.url);
  vi.stubEnv('MEMORY_API_KEY', 'sk_test_key');
  handlers = await import('@memory-read/guide-code/framework-handlers');
});
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway[Symbol.asyncDispose]();
});

/** Requests the memory from an app on Node.js. */
async function ask(app: RequestListener): Promise<Response> {
  await using listening = await listen(app);
  const response = await fetch(`${listening.url}/memories/mem_1`);
  return new Response(await response.text(), response);
}

const apps: Record<string, () => Promise<Response>> = {
  Express: () => ask(handlers.expressApp),
  async Fastify() {
    await handlers.fastifyApp.ready();
    return ask((request, response) => handlers.fastifyApp.routing(request, response));
  },
  Koa: () => ask(handlers.koaApp.callback()),
  Hono: async () => handlers.honoApp.request('/memories/mem_1'),
  'Next.js': () => handlers.GET(new Request('http://localhost/'), { params: Promise.resolve({ id: 'mem_1' }) }),
};

const cases: [
  problem: string,
  given: typeof answer,
  status: number,
  retryAfter: string | null,
  detail: string | undefined,
][] = [
  ['nothing', { status: 200, body: sampleMemory({ id: 'mem_1' }) }, 200, null, undefined],
  ['the key of the backend', { status: 401, body: { detail: 'Invalid API key' } }, 502, null, 'Contact the support.'],
  ['the address of the backend', { status: 404, body: { detail: 'Not Found' } }, 502, null, 'Contact the support.'],
  ['the plan of the backend', { status: 403, body: { detail: 'Forbidden' } }, 502, null, 'Contact the support.'],
  ['the id', { status: 404, body: { detail: 'Memory not found' } }, 404, null, 'No such memory.'],
  [
    'the number of requests',
    { status: 429, body: { detail: 'Too many requests' }, headers: { 'retry-after': '3600' } },
    503,
    '3600',
    'Try again later.',
  ],
];

test.each(Object.entries(apps).flatMap(([name, send]) => cases.map((one) => [name, send, ...one] as const)))(
  'the handler of the guide for %s answers the visitor, if the API refuses $2',
  async (_name, send, _problem, given, status, retryAfter, detail) => {
    answer = given;
    const response = await send();
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect((await response.json()).detail).toBe(detail);
    expect(response.headers.has('x-gateway')).toBe(false);
  },
);
