import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test, vi } from 'vitest';
import type { MemoryClient, PollEvent, WaitOptions, WaitOutcome } from '../index.ts';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { notFound, polledApi, serverError, tooMany, unauthorized } from '../testing/polled-api.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer } from '../testing/stub-fetch.ts';

useFakeTimers();
beforeEach(() => {
  // Without jitter, the intervals are 1, 1.5, 2.25, 3.375 … seconds.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** An API whose memories are processed after these milliseconds. `overrides` replace its responses. */
function account(finishAt: Record<string, number>, overrides: Record<string, () => StubAnswer | undefined> = {}) {
  const startedAt = performance.now();
  const fields = (id: string) => ({ id, is_processing: performance.now() - startedAt < (finishAt[id] ?? 0) });
  return polledApi((target) => {
    const override = overrides[target]?.();
    if (override !== undefined) return override;
    if (target === 'list') return json(Object.keys(finishAt).map((id) => sampleListedMemory(fields(id))));
    return target in finishAt ? json(sampleMemory(fields(target))) : notFound();
  });
}

type Account = ReturnType<typeof account>;

async function collect({ client }: Account, memoryIds: Iterable<string>, options?: WaitOptions) {
  const outcomes: WaitOutcome[] = [];
  const ended = (async () => {
    for await (const outcome of client.waitForMemories(memoryIds, options)) outcomes.push(outcome);
  })().catch((reason: unknown) => reason);
  await vi.runAllTimersAsync();
  return { outcomes, error: await ended, ends: outcomes.map(({ memoryId, status }) => `${memoryId} ${status}`) };
}

test('sends one list request per round for many memories, and one request for each processed memory', async () => {
  const api = account({ mem_1: 2_000, mem_2: 0, mem_3: 4_000 });
  const { ends, outcomes } = await collect(api, ['mem_1', 'mem_2', 'mem_3']);
  expect(ends).toEqual(['mem_2 processed', 'mem_1 processed', 'mem_3 processed']);
  expect(outcomes[0]).toMatchObject({ memory: { transcript: { segments: [{ text: 'Good morning.' }] } } });
  const sent = ['list,0', 'mem_2,0', 'list,1000', 'list,2500', 'mem_1,2500', 'list,4750', 'mem_3,4750'];
  expect(api.requests.map(String)).toEqual(sent);
  expect(vi.getTimerCount()).toBe(0);
});

test('waits once for an id that is passed twice, in any iterable, and sends no request without ids', async () => {
  const api = account({ mem_1: 0 });
  for (const ids of [new Set(['mem_1']).values(), ['mem_1', 'mem_1']])
    expect((await collect(api, ids)).ends).toEqual(['mem_1 processed']);
  expect(api.requests).toHaveLength(4);
  expect((await collect(api, [])).ends).toEqual([]);
  expect(api.requests).toHaveLength(4);
});

test('a deleted or failing memory does not affect the others', async () => {
  const api = account({ mem_1: 2_000, mem_3: 0 }, { mem_3: () => json({ id: 3 }) });
  const { ends, outcomes } = await collect(api, ['mem_1', 'mem_2', 'mem_3']);
  expect(ends).toEqual(['mem_2 not_found', 'mem_3 failed', 'mem_1 processed']);
  expect(outcomes[0]).toMatchObject({ error: { code: 'not_found', memoryId: 'mem_2' } });
  expect(outcomes[1]).toMatchObject({ error: { code: 'invalid_response' } });
});

test('reads an id by itself if the list does not contain it', async () => {
  const unlisted = Array.from({ length: 2 }, () => json(sampleMemory({ id: 'mem_2', is_processing: true })));
  const api = account({ mem_1: 0 }, { mem_2: () => unlisted.pop() ?? json(sampleMemory({ id: 'mem_2' })) });
  const { ends } = await collect(api, ['mem_1', 'mem_2']);
  expect(ends).toEqual(['mem_1 processed', 'mem_2 processed']);
  expect(api.requests.filter(([target]) => target === 'mem_2')).toHaveLength(3);
});

test('an outcome of the timeout has the last memory and the last failure', async () => {
  const api = account({ mem_1: 0, mem_2: 60_000, mem_3: 0 }, { mem_3: serverError });
  const { ends, outcomes } = await collect(api, ['mem_1', 'mem_2', 'mem_3'], { maxWait: 10_000 });
  expect(ends).toEqual(['mem_1 processed', 'mem_2 timed_out', 'mem_3 timed_out']);
  expect(outcomes[1]).toMatchObject({ error: { code: 'processing_timeout', memory: { is_processing: true } } });
  expect(outcomes[2]).toMatchObject({ error: { memory: { is_processing: false }, cause: { code: 'server' } } });
  expect(outcomes[1]).not.toHaveProperty('error.cause');
});

test('tolerates a list that fails for a while, and reads no memories meanwhile', async () => {
  const answers = [new Response('<html>'), serverError()];
  const api = account({ mem_1: 0 }, { list: () => answers.pop() });
  expect((await collect(api, ['mem_1'])).ends).toEqual(['mem_1 processed']);
  expect(api.requests.map(String)).toEqual(['list,0', 'list,1000', 'list,2500', 'mem_1,2500']);
});

test.each<[string, () => StubAnswer, object]>([
  ['fails permanently', unauthorized, { code: 'authentication' }],
  ['is no list', () => json({ memories: [] }), { code: 'invalid_response', reason: 'structure' }],
])('a wait ends if the list %s', async (_title, list, expected) => {
  const api = account({ mem_1: 60_000 }, { list });
  expect(await collect(api, ['mem_1'])).toMatchObject({ ends: [], error: expected });
  expect(api.requests).toHaveLength(1);
});

test('rejects with the error of the apiKey function, and ends reads in flight', async () => {
  const reason = new Error('The vault is closed.');
  const apiKey = vi.fn(async () => 'sk_test');
  apiKey.mockResolvedValueOnce('sk_test').mockResolvedValueOnce('sk_test').mockRejectedValue(reason);
  const { client, signals } = polledApi((target) => (target === 'list' ? json([]) : never), { apiKey });
  const error = rejection(client.waitForMemories(['mem_1', 'mem_2']).next());
  await vi.advanceTimersByTimeAsync(0);
  expect(await error).toBe(reason);
  expect([signals[1]?.aborted, vi.getTimerCount()]).toEqual([true, 0]);
});

test('Retry-After pauses the whole round, of which at most four reads are in flight', async () => {
  const ids = Array.from({ length: 9 }, (_item, index) => `mem_${index}`);
  const limited = [tooMany(7)];
  const api = account(Object.fromEntries(ids.map((id) => [id, 0])), { mem_0: () => limited.pop() });
  expect((await collect(api, ids)).ends).toHaveLength(9);
  const first = api.requests.filter(([, elapsed]) => elapsed < 7_000);
  // The list, and the reads that were in flight.
  expect(first.map(([target]) => target)).toEqual(['list', 'mem_0', 'mem_1', 'mem_2', 'mem_3']);
  expect(api.requests[5]).toEqual(['list', 7_000]);
});

test('calls onPoll once per memory and round', async () => {
  const events: PollEvent[] = [];
  const api = account({ mem_1: 0, mem_2: 2_000 });
  await collect(api, ['mem_1', 'mem_2', 'mem_3'], { onPoll: (event) => events.push(event) });
  const told = events.map(
    ({ memoryId, attempt, elapsed, nextDelay }) => `${memoryId} ${attempt} ${elapsed} ${nextDelay}`,
  );
  const first = ['mem_1 1 0 null', 'mem_3 1 0 null'];
  expect(told).toEqual([...first, 'mem_2 1 0 1000', 'mem_2 2 1000 1500', 'mem_2 3 2500 null']);
  expect(events[1]?.memory).toBeUndefined();
  expect(events[2]?.memory).toMatchObject({ id: 'mem_2', is_processing: true });
  expect(events[4]?.memory).toMatchObject({ id: 'mem_2', is_processing: false });
});

test('excludes the time that the loop body takes', async () => {
  const ids = Array.from({ length: 12 }, (_item, index) => `mem_${index}`);
  const api = account({ ...Object.fromEntries(ids.map((id) => [id, 0])), mem_late: 100_000 });
  const statuses: string[] = [];
  const ended = (async () => {
    for await (const { status } of api.client.waitForMemories([...ids, 'mem_late'], { maxWait: 5_000 })) {
      statuses.push(status);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    }
  })();
  await vi.runAllTimersAsync();
  await ended;
  expect(statuses).toEqual(Array(13).fill('processed'));
});

test('leaving the loop ends the requests in flight, and leaves no timer and no listener', async () => {
  const { client, signals } = polledApi((target) => {
    if (target === 'list') return json([]);
    return target === 'mem_1' ? json(sampleMemory()) : never;
  });
  const { signal } = new AbortController();
  const outcomes = client.waitForMemories(['mem_1', 'mem_2', 'mem_3'], { signal });
  const first = outcomes.next();
  await vi.advanceTimersByTimeAsync(0);
  expect((await first).value).toMatchObject({ memoryId: 'mem_1' });
  await outcomes.return();
  await vi.advanceTimersByTimeAsync(0);
  expect(signals.slice(2).map(({ aborted }) => aborted)).toEqual([true, true]);
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []]);
});

test.each<[string, () => StubAnswer]>([
  ['a request', () => never],
  ['a pause', () => json([sampleListedMemory({ is_processing: true })])],
])('return() and an abort during %s end the wait at once, and leave nothing behind', async (_title, answer) => {
  for (const end of ['return', 'abort']) {
    const { client, requests } = polledApi(answer);
    const aborting = new AbortController();
    const outcomes = client.waitForMemories(['mem_1'], { signal: aborting.signal });
    // The wait has not started.
    expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
    const next = Promise.allSettled([outcomes.next()]);
    await vi.advanceTimersByTimeAsync(10);
    const over = { done: true, value: undefined };
    const returned = end === 'abort' ? aborting.abort('enough') : outcomes.return();
    await vi.advanceTimersByTimeAsync(0);
    expect(await next).toMatchObject([end === 'abort' ? { reason: 'enough' } : { value: over }]);
    expect([await returned, await outcomes.next()]).toEqual([end === 'abort' ? undefined : over, over]);
    expect([requests.length, vi.getTimerCount()]).toEqual([1, 0]);
    expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
  }
});

test.each<[string, unknown, unknown]>([
  ['an empty id', ['mem_1', ''], {}],
  ['an id that is not a string', ['mem_1', 7], {}],
  ['one id in the place of several', 'mem_1', {}],
  ['no ids', undefined, {}],
  ['an array-like', { length: 1 }, {}],
  ['an option that makes no sense', ['mem_1'], { maxInterval: 0 }],
])('rejects %s at the first next(), before any request', async (_title, memoryIds, options) => {
  const { client, requests } = account({ mem_1: 0 });
  const outcomes = client.waitForMemories(memoryIds as string[], options as WaitOptions);
  expect(await rejection(outcomes.next())).toMatchObject({ code: 'configuration' });
  expect(requests).toEqual([]);
});

test.each<[string, (client: MemoryClient) => AsyncIterator<unknown>]>([
  ['waitForMemories', (client) => client.waitForMemories(['mem_1'])],
  ['watchMemories', (client) => client.watchMemories()[Symbol.asyncIterator]()],
])('%s polls in the asynchronous context of its creator, not in that of its reader', async (_name, start) => {
  const caller = new AsyncLocalStorage<string>();
  const keys: (string | null)[] = [];
  const fetch = async ({ url, headers }: Request) => {
    keys.push(headers.get('authorization'));
    return json(url.endsWith('memories') ? [sampleListedMemory({ id: `mem_${keys.length}` })] : sampleMemory());
  };
  const { client } = polledApi(() => never, { apiKey: () => caller.getStore() ?? 'sk_nobody', fetch });
  const results = caller.run('sk_ada', () => start(client));
  // A watch reports the change of the second poll as its third one.
  const read = caller.run('sk_grace', async () => [await results.next(), await results.next(), await results.next()]);
  await vi.advanceTimersByTimeAsync(30_000);
  await read;
  expect(keys).toEqual(['Bearer sk_ada', 'Bearer sk_ada']);
});

test.each(['strict', 'skip'] as const)(
  'reads each memory by its id whose item in the list breaks the contract, in mode %s',
  async (validation) => {
    const finishAt = { mem_1: 1_200, mem_2: 0, mem_3: 0 };
    const [broken, sound] = [sampleListedMemory({ id: 'mem_1', name: 7 }), sampleListedMemory({ id: 'mem_3' })];
    const list = () => json([broken, { id: 'mem_2' }, null, sound]);
    const api = account(finishAt, { list, mem_2: () => json({ id: 'mem_2' }) });
    const { ends, error, outcomes } = await collect(api, Object.keys(finishAt), { validation });
    expect(error).toBeUndefined();
    expect(ends).toEqual(['mem_2 failed', 'mem_3 processed', 'mem_1 processed']);
    expect(outcomes[0]).toMatchObject({ error: { code: 'invalid_response', memoryIds: ['mem_2'] } });
    expect(api.requests.filter(([target]) => target === 'mem_1')).toHaveLength(3);
  },
);

test('a wait reads each memory by its id if every item of the list breaks the contract', async () => {
  const api = account({ mem_1: 0 }, { list: () => json([{ id: 'mem_1' }, null]) });
  expect(await collect(api, ['mem_1'])).toMatchObject({ ends: ['mem_1 processed'], error: undefined });
});

test('the ids are read when the method is called', async () => {
  const { client } = polledApi(() => json([sampleListedMemory({ id: 'mem_1', is_processing: true })]));
  const ids = ['mem_1'];
  const outcomes = client.waitForMemories(ids, { maxWait: 1_000 });
  ids.length = 0;
  const first = outcomes.next();
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await first).value).toMatchObject({ memoryId: 'mem_1', status: 'timed_out' });
});

test('an error of this package that the apiKey function rejects with ends waits and watches', async () => {
  const outage = await rejection(polledApi(serverError).client.listMemories({ retries: 0 }));
  const apiKey = vi.fn(() => Promise.reject(outage));
  const { client } = polledApi(() => json([]), { apiKey });
  expect(await rejection(client.waitForMemories(['mem_1']).next())).toBe(outage);
  expect(await rejection(client.waitForMemory('mem_1'))).toBe(outage);
  expect(await rejection(client.watchMemories()[Symbol.asyncIterator]().next())).toBe(outage);
  expect(apiKey).toHaveBeenCalledTimes(3);
});
