import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PollEvent, ProcessingTimeoutError, WaitOptions } from '../index.ts';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { notFound, polledApi, serverError, tooMany, unauthorized } from '../testing/polled-api.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer } from '../testing/stub-fetch.ts';

useFakeTimers();
beforeEach(() => {
  // Without jitter, each interval has its full length.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const processing = () => json(sampleMemory({ is_processing: true, transcript: null, summary: null }));
const processed = () => json(sampleMemory());

/** Returns these responses in turn and repeats the last one. */
function inTurn(...answers: (() => StubAnswer)[]) {
  let turn = 0;
  return () => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    if (answer === undefined) throw new Error('The test has no answer.');
    return answer();
  };
}

/** Advances the fake clock until no timer is left. */
async function waitFor(answer: () => StubAnswer, options: WaitOptions = {}, memoryId = 'mem_1') {
  const { client, requests } = polledApi(answer, { retries: 2 });
  const events: PollEvent[] = [];
  const wait = client.waitForMemory(memoryId, { onPoll: (event) => events.push(event), ...options });
  const ended = wait.then(
    (memory) => ({ memory, error: undefined }),
    (error: ProcessingTimeoutError) => ({ memory: undefined, error }),
  );
  await vi.runAllTimersAsync();
  return { ...(await ended), events, times: requests.map(([, elapsed]) => elapsed) };
}

test('returns a processed memory after one poll', async () => {
  const { memory, events, times } = await waitFor(processed);
  expect(memory).toEqual(sampleMemory());
  expect(times).toEqual([0]);
  expect(events).toEqual([{ memoryId: 'mem_1', attempt: 1, elapsed: 0, nextDelay: null, memory: sampleMemory() }]);
  expect(vi.getTimerCount()).toBe(0);
});

const growing = { firstInterval: 1_000, backoffFactor: 2, maxInterval: 5_000 };

test.each<[string, WaitOptions, number, number[], StubAnswer?]>([
  ['that grow by the factor up to the maximum', growing, 0, [0, 1_000, 3_000, 7_000, 12_000, 17_000, 22_000]],
  ['of a maximum below the first', { maxInterval: 400 }, 0, [0, 400, 800]],
  ['that jitter shortens by up to half', {}, 0.999_999, [0, 500, 1_250, 2_375]],
  ['or a longer Retry-After', {}, 0, [0, 7_000, 8_500], tooMany(7)],
])('polls in intervals %s', async (_title, options, random, expected, first) => {
  vi.mocked(Math.random).mockReturnValue(random);
  const polls = expected.slice(1).map((_time, index) => () => (index === 0 && first) || processing());
  const { times, events } = await waitFor(inTurn(...polls, processed), options);
  expect(times).toEqual(expected);
  const pauses = expected.slice(1).map((time, index) => time - (expected[index] as number));
  expect(events.map(({ attempt, nextDelay }) => [attempt, nextDelay && Math.round(nextDelay)])).toEqual(
    [...pauses, null].map((pause, index) => [index + 1, pause]),
  );
});

test('rejects after maxWait with the last memory, after a last poll shortly before', async () => {
  const { error, times, events } = await waitFor(processing, { maxWait: 10_000, firstInterval: 4_000 });
  expect(times).toEqual([0, 4_000, 9_000]);
  expect(error).toMatchObject({
    ...{ code: 'processing_timeout', name: 'ProcessingTimeoutError', memoryId: 'mem_1', maxWait: 10_000 },
    memory: { id: 'mem_1', is_processing: true },
    message:
      'Failed to wait for memory "mem_1": it was not processed within 10000 ms. Raise maxWait, or wait again later.',
  });
  expect([error?.cause, events.at(-1)?.nextDelay, vi.getTimerCount()]).toEqual([undefined, null, 0]);
});

test('sends the last poll even if the previous one was late, and returns a memory that is processed then', async () => {
  const { times, memory } = await waitFor(inTurn(processing, processing, processed), {
    maxWait: 10_000,
    firstInterval: 8_500,
  });
  expect(times).toEqual([0, 8_500, 9_000]);
  expect(memory?.is_processing).toBe(false);
});

test.each<[string, () => StubAnswer]>([
  ['500', serverError],
  ['503', () => json({}, { status: 503 })],
  ['408', () => json({}, { status: 408 })],
  ['a page of HTML', () => new Response('<html>')],
  ['a fault of the network', () => new TypeError('fetch failed')],
  ['a look that takes longer than its timeout', () => never],
])('tolerates %s, with one attempt per poll', async (_title, failure) => {
  const { memory, times, events } = await waitFor(inTurn(failure, failure, processed), { timeout: 200 });
  expect(memory?.id).toBe('mem_1');
  expect(times).toHaveLength(3);
  expect(times[1]).toBeGreaterThanOrEqual(1_000);
  expect(events[0]?.memory).toBeUndefined();
});

test('onPoll gets the error of each failed poll, and the error has the last memory and the failure of the last poll', async () => {
  const unavailable = () => json({}, { status: 503 });
  const { error, events } = await waitFor(inTurn(serverError, processing), { maxWait: 5_000 });
  expect(events.slice(0, 3).map((event) => event.error?.code)).toEqual(['server', undefined, undefined]);
  expect(error).toMatchObject({ code: 'processing_timeout' });
  expect(error).not.toHaveProperty('cause');
  expect((await waitFor(inTurn(processing, serverError, unavailable), { maxWait: 5_000 })).error).toMatchObject({
    ...{ code: 'processing_timeout', memory: { id: 'mem_1' } },
    cause: { code: 'server', status: 503, request: { attempts: 1 } },
  });
});

test.each<[string, () => StubAnswer, string, string | undefined]>([
  [
    'failed',
    serverError,
    'Failed to get memory "mem_1": the server answered 500 ("Internal server error"). Try again later.',
    'server',
  ],
  ['was interrupted by maxWait', () => never, 'Raise maxWait, or wait again later.', undefined],
])('the error says that no poll succeeded, if each one %s', async (_title, failure, remedy, code) => {
  const { error } = await waitFor(failure, { maxWait: 5_000 });
  expect(error?.message).toBe(`Failed to wait for memory "mem_1": no poll succeeded within 5000 ms. ${remedy}`);
  expect(error?.cause).toEqual(code && expect.objectContaining({ code }));
  expect(error?.memory).toBeUndefined();
});

test.each<[string, () => StubAnswer, string]>([
  ['401', unauthorized, 'authentication'],
  ['404', notFound, 'not_found'],
  ['422', () => json({ detail: 'Malformed' }, { status: 422 }), 'invalid_request'],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } }), 'unexpected_response'],
  ['a broken structure', () => json({ id: 7 }), 'invalid_response'],
])('%s ends the wait at once, even after a successful poll', async (_title, failure, code) => {
  const { error, times, events } = await waitFor(inTurn(processing, failure));
  expect(error?.code).toBe(code);
  expect(times).toEqual([0, 1_000]);
  expect(events.at(-1)).toMatchObject({ attempt: 2, nextDelay: null });
});

test('ends the wait at once if Retry-After exceeds it', async () => {
  const { error, times } = await waitFor(() => tooMany(60), { maxWait: 30_000 });
  expect(times).toEqual([0]);
  expect(error).toMatchObject({
    code: 'processing_timeout',
    cause: { code: 'rate_limited', retryAfterMs: 60_000 },
    message:
      'Failed to wait for memory "mem_1": the server requested a pause of 60000 ms, which exceeds the rest of maxWait (30000 ms). Raise maxWait, or wait again later.',
  });
});

test.each(['999999999', '9'.repeat(30)])(
  'a Retry-After of %s s pauses a wait without a limit for an hour',
  async (seconds) => {
    const { client, requests } = polledApi(() => tooMany(seconds));
    const aborting = new AbortController();
    const wait = rejection(client.waitForMemory('mem_1', { maxWait: false, signal: aborting.signal }));
    await vi.advanceTimersByTimeAsync(7_200_000);
    aborting.abort('enough');
    expect(await wait).toBe('enough');
    expect(requests.map(([, elapsed]) => elapsed)).toEqual([0, 3_600_000, 7_200_000]);
  },
);

test.each([
  ['the first poll', () => never],
  ['a later poll', inTurn(processing, () => never)],
])('cancels %s at the end of the wait, whatever its own timeout', async (_title, answer) => {
  const { client } = polledApi(answer, { totalTimeout: 1_000 });
  const wait = rejection(client.waitForMemory('mem_1', { maxWait: 5_000, timeout: false }));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(2);
  const error = await wait;
  expect(error).toMatchObject({ code: 'processing_timeout' });
  // Its message would advise to raise totalTimeout, which a wait does not use.
  expect(error).not.toHaveProperty('cause');
  expect(vi.getTimerCount()).toBe(0);
});

test('the total timeout of the client does not apply to the wait, and a finished wait leaves no listener', async () => {
  const { client } = polledApi(inTurn(...Array(9).fill(processing), processed), { totalTimeout: 1_000 });
  const { signal } = new AbortController();
  const wait = client.waitForMemory('mem_1', { signal });
  await vi.runAllTimersAsync();
  expect(await wait).toMatchObject({ is_processing: false });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('ignores errors of onPoll, thrown or rejected', async () => {
  const broken = new Error('A broken log line.');
  for (const onPoll of [vi.fn().mockThrow(broken), vi.fn().mockRejectedValue(broken)]) {
    expect((await waitFor(inTurn(processing, processed), { onPoll })).memory?.id).toBe('mem_1');
    expect(onPoll).toHaveBeenCalledTimes(2);
  }
});

test('without validation, only is_processing: false ends the wait', async () => {
  const first = () => json({ id: 'mem_1' });
  expect((await waitFor(inTurn(first, processed), { validation: 'off' })).times).toEqual([0, 1_000]);
});

const unusable: [string, unknown][] = [
  ['maxWait', { maxWait: 0 }],
  ['maxWait', { maxWait: 2 ** 31 }],
  ['firstInterval', { firstInterval: -1 }],
  ['firstInterval', { firstInterval: false }],
  ['firstInterval', { firstInterval: 2_000, maxInterval: 1_000 }],
  ['maxInterval', { maxInterval: Number.NaN }],
  ['backoffFactor', { backoffFactor: 0.5 }],
  ['backoffFactor', { backoffFactor: '2' }],
  ['onPoll', { onPoll: 'log' }],
  ['signal', { signal: {} }],
];

test.each(unusable)('rejects the option %s of %j before any request', async (name, options) => {
  const { client, requests } = polledApi(processing);
  const error = await rejection(client.waitForMemory('mem_1', options as WaitOptions));
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(name) });
  expect(requests).toHaveLength(0);
});

const apiKey = 'KEYSECRET_0123456789';
const signedUrl = 'https://media.example.com/a.wav?expires=1&signature=URLSECRET';

test.each([
  ['the key', apiKey, apiKey, '[redacted]'],
  ['a key of a function', apiKey, () => apiKey, '[redacted]'],
  ['a signed URL', signedUrl, apiKey, 'https://media.example.com/a.wav?[redacted]'],
])('with %s in place of an id, the error shows neither it nor the memory', async (_title, memoryId, key, shown) => {
  const own = () => json(sampleMemory({ id: memoryId, is_processing: true, transcript: null, summary: null }));
  const { client } = polledApi(inTurn(own, serverError), { apiKey: key });
  const wait = rejection(client.waitForMemory(memoryId, { maxWait: 5_000 }));
  await vi.runAllTimersAsync();
  const error = (await wait) as ProcessingTimeoutError;
  expect(error.memory?.audio_url).toContain('URLSECRET');
  expect(error).toMatchObject({ memoryId: shown, message: expect.stringContaining(JSON.stringify(shown)) });
  const { message, stack, cause } = error;
  const options = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true };
  const log = [inspect(error, options), inspect({ error }, options), message, stack, String(cause)].join('\n');
  expect(log + JSON.stringify(error)).not.toContain('SECRET');
  expect(log).toContain('Internal server error');
});
