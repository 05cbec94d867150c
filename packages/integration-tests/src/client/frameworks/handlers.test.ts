import type { RequestListener } from 'node:http';
import { type ServerFault, startMockServer } from '@memory-read/msw/server';
import { listen } from '@memory-read/test-kit/listen';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const api = await startMockServer({ memories: [], apiKey: 'sk_test_key' });
api.memories.add({ id: 'mem_1' });

type Handlers = typeof import('@memory-read/guide-code/framework-handlers');
let handlers: Handlers;

beforeAll(async () => {
  vi.stubEnv('MEMORY_API_URL', api.baseUrl);
  vi.stubEnv('MEMORY_API_KEY', api.apiKey);
  handlers = await import('@memory-read/guide-code/framework-handlers');
});
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await api.close();
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

const headers = { 'x-gateway': '1' };
const cases: [
  problem: string,
  fault: ServerFault | null,
  status: number,
  retryAfter: string | null,
  detail: string | undefined,
][] = [
  ['nothing', null, 200, null, undefined],
  ['the key of the backend', { status: 401, headers }, 502, null, 'Contact the support.'],
  ['the address of the backend', { status: 404, detail: 'Not Found', headers }, 502, null, 'Contact the support.'],
  ['the plan of the backend', { status: 403, headers }, 502, null, 'Contact the support.'],
  ['the id', { status: 404, headers }, 404, null, 'No such memory.'],
  ['the number of requests', { status: 429, retryAfter: 3_600_000, headers }, 503, '3600', 'Try again later.'],
];

test.each(Object.entries(apps).flatMap(([name, send]) => cases.map((one) => [name, send, ...one] as const)))(
  'the handler of the guide for %s answers the visitor, if the API refuses $2',
  async (_name, send, _problem, fault, status, retryAfter, detail) => {
    api.faults.clear();
    if (fault) api.faults.always(fault);
    const response = await send();
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect((await response.json()).detail).toBe(detail);
    expect(response.headers.has('x-gateway')).toBe(false);
  },
);
