import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { createMemoryMock, type Fault, type FaultMatch, type MemoryMock } from '@memory-read/msw';
import { setupMemoryMock } from '@memory-read/msw/node';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const server = setupServer();
beforeAll(() => server.listen());
afterAll(() => server.close());

let mock: MemoryMock;
let id: string;
beforeEach(() => {
  mock = createMemoryMock();
  server.resetHandlers(...mock.handlers);
  id = mock.memories.all().find(({ media }) => media.audio)?.id ?? '';
});

type Call = (client: MemoryClient, memoryId: string) => Promise<unknown>;
const list: Call = (client) => client.listMemories();
const get: Call = (client, memoryId) => client.getMemory(memoryId);
const wait: Call = (client, memoryId) => client.waitForMemory(memoryId);
const download: Call = async (client, memoryId) => {
  const { body } = await client.openMedia(memoryId, 'audio');
  return new Response(body).arrayBuffer();
};
const media: FaultMatch = { media: 'audio' };
const late: Fault = { delay: 600_000 };

// The project msw-2 runs this file with the older major version of MSW.
describe.each(['MSW', 'mock.fetch'])('through %s', (way) => {
  test.each<[string, Call, Fault, FaultMatch, string]>([
    ['list that stalls', list, 'stall', {}, 'the mock was reset'],
    ['list that is delayed', list, late, {}, 'the mock was reset'],
    ['read that stalls', get, 'stall', {}, 'the mock was reset'],
    ['wait whose poll stalls', wait, 'stall', {}, 'the mock was reset'],
    ['download whose memory is read', download, 'stall', {}, 'the mock was reset'],
    ['download that stalls', download, 'stall', media, 'the storage answered 418'],
    ['download that is delayed', download, late, media, 'the storage answered 418'],
  ])('a %s ends with the reset, and takes no fault of the next test', async (_name, call, fault, match, message) => {
    const client = new MemoryClient({
      baseUrl: mock.baseUrl,
      apiKey: mock.apiKey,
      ...(way !== 'MSW' && { fetch: mock.fetch }),
    });
    mock.faults.next(fault, { match });
    const ended = call(client, id).catch((error: unknown) => error);
    await expect.poll(() => mock.requests.filter((request) => request.fault !== null)).toHaveLength(1);
    mock.reset();

    mock.faults.next({ status: 503 });
    const error = await ended;
    expect(isMemoryApiError(error) && error.message).toContain(message);
    expect(mock.requests).toEqual([]);
    await expect(client.listMemories({ retries: 0 })).rejects.toMatchObject({ status: 503 });
  });

  test('a request that a reset ends gets a response that says so, and that no client repeats', async () => {
    const send = way === 'MSW' ? fetch : mock.fetch;
    mock.faults.next('stall');
    const call = send(`${mock.baseUrl}/v1/memories`);
    await expect.poll(() => mock.requests).toHaveLength(1);
    mock.reset();
    const response = await call;
    expect([response.status, await response.json()]).toEqual([
      418,
      { detail: 'Failed to answer: the mock was reset before its response. Await the request in the same test.' },
    ]);
  });
});

test('on a joined server, a request that another handler held until the reset does not reach the mock', async () => {
  let reset = async () => {};
  const hooks = { beforeAll: (run: () => void) => run(), beforeEach() {}, afterAll() {} };
  const joined = setupMemoryMock({
    baseUrl: 'https://joined.test',
    server,
    hooks: {
      ...hooks,
      afterEach: (run) => {
        reset = run;
      },
    },
  });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  server.use(
    http.get(`${joined.baseUrl}/*`, () => {
      hold();
      return released as Promise<undefined>;
    }),
  );
  const client = new MemoryClient({ baseUrl: joined.baseUrl, apiKey: joined.apiKey });
  const ended = client.listMemories().catch((error: unknown) => error);
  await held;
  await reset();
  release();
  expect(await ended).toMatchObject({ status: 418, message: expect.stringContaining('the mock was reset') });
  expect(joined.requests).toEqual([]);
});
