import { getEventListeners } from 'node:events';
import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import {
  type AnyMemoryApiError,
  ConfigurationError,
  type ListedMemory,
  type MemoryChange,
  type MemoryWatch,
  type WatchErrorEvent,
  type WatchOptions,
  type WatchState,
} from '../index.ts';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { polledApi, serverError, tooMany, unauthorized } from '../testing/polled-api.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer } from '../testing/stub-fetch.ts';

useFakeTimers();

const memory = (id: string, changes: Partial<ListedMemory> = {}) => sampleListedMemory({ id, ...changes });
const processing = (id: string) => memory(id, { is_processing: true, summary: null, audio_url: null });

/** Watches an account through these lists and failures, one for each poll, and closes the watch at the next poll. */
async function watchThrough(looks: (ListedMemory[] | (() => StubAnswer))[], options: WatchOptions = {}) {
  const queue = [...looks];
  const { client, requests } = polledApi(() => {
    const look = queue.shift();
    if (look === undefined) return never;
    return typeof look === 'function' ? look() : json(look);
  });
  const watch = client.watchMemories(options);
  const changes: MemoryChange[] = [];
  const ended = (async () => {
    for await (const change of watch) changes.push(change);
  })();
  const error = ended.catch((reason: unknown) => reason);
  await vi.advanceTimersByTimeAsync(looks.length * (options.interval ?? 30_000));
  await watch.close();
  return {
    told: changes.map(describe),
    changes,
    error: await error,
    watch,
    times: requests.map(([, elapsed]) => elapsed),
  };
}

/** The state of a watch, as it is after it was stored. */
const storedState = ({ state }: MemoryWatch): WatchState => JSON.parse(JSON.stringify(state));

function describe(change: MemoryChange): string {
  if (change.type === 'missing') return `missing ${change.memoryId}`;
  const fields = change.type === 'changed' ? ` ${change.fields.join()}` : '';
  return `${change.type} ${change.memory.id}${fields}`;
}

const renamed = memory('mem_1', { name: 'Renamed' });
const both = [memory('mem_1'), processing('mem_2')];
const strange = [null, 7, { id: 8 }, { id: 'mem_1' }] as unknown as ListedMemory[];
const { summary, ...rest } = memory('mem_1');
/** The same memory with fields in another order, an unknown field in two places, and another URL. */
const same = [
  { likes: 1, summary: { key_takeaways: ['All is well.'], quick_summary: 'We met.', mood: 'calm' }, ...rest },
  memory('mem_1', { audio_url: 'https://media.example.com/a.wav?expires=2&signature=OTHER' }),
];

test.each<[string, (ListedMemory[] | (() => StubAnswer))[], WatchOptions, string[]]>([
  ['the first list, oldest first', [both.toReversed()], {}, ['added mem_1', 'processed mem_1', 'added mem_2']],
  [
    'with initial: skip, only later changes',
    [both, [memory('mem_3'), memory('mem_1'), memory('mem_2')]],
    { initial: 'skip' },
    ['processed mem_2', 'added mem_3', 'processed mem_3'],
  ],
  [
    'after a first poll that failed, initial: skip',
    [serverError, both, []],
    { initial: 'skip' },
    ['missing mem_2', 'missing mem_1'],
  ],
  [
    'the end of processing once, together with all other differences',
    [[processing('mem_1')], [renamed], [{ ...processing('mem_1'), name: 'Renamed' }], [renamed]],
    {},
    [...['added mem_1', 'processed mem_1'], ...Array(2).fill('changed mem_1 summary,is_processing,audio_url')],
  ],
  ['an id that is listed twice as one memory', [[processing('mem_1'), processing('mem_1')]], {}, ['added mem_1']],
  ['without validation, no items that are not memories', [strange, strange], { validation: 'off' }, ['added mem_1']],
  [
    'neither new URLs, nor another order of fields or of the list, nor unknown fields',
    [[memory('mem_1'), processing('mem_2')], ...same.map((one) => [processing('mem_2'), one as ListedMemory])],
    {},
    ['added mem_2', 'added mem_1', 'processed mem_1'],
  ],
  [
    'a memory that returns as added, and as processed only if that was not reported before',
    [both, [], both, [], [memory('mem_1'), memory('mem_2')]],
    {},
    [
      ...['added mem_2', 'added mem_1', 'processed mem_1', 'missing mem_2', 'missing mem_1'],
      ...['added mem_2', 'added mem_1', 'missing mem_1', 'missing mem_2'],
      ...['added mem_2', 'processed mem_2', 'added mem_1'],
    ],
  ],
])('reports %s', async (_title, looks, options, told) => {
  expect((await watchThrough(looks, options)).told).toEqual(told);
});

test('a state from before the first successful poll does not end initial: skip', async () => {
  const { watch } = await watchThrough([serverError], { initial: 'skip' });
  expect(watch.state).toEqual({ version: 1, account: null, initial: 'skip', memories: [] });
  const state = storedState(watch);
  const next = await watchThrough([[memory('mem_1')], [memory('mem_2'), memory('mem_1')]], { state });
  expect(next.told).toEqual(['added mem_2', 'processed mem_2']);
  expect(next.watch.state).not.toHaveProperty('initial');
});

test('after a poll of an account without memories, initial: skip ends', async () => {
  const { watch, changes } = openWatch([], { initial: 'skip' });
  expect(watch.state).toHaveProperty('initial', 'skip');
  const first = changes.next();
  await vi.advanceTimersByTimeAsync(0);
  expect(watch.state).toEqual({ version: 1, account: null, memories: [] });
  await watch.close();
  expect(await first).toMatchObject({ done: true });
  const next = await watchThrough([[memory('mem_1')]], { state: watch.state, initial: 'skip' });
  expect(next.told).toEqual(['added mem_1', 'processed mem_1']);
});

test.each<[string, Partial<ListedMemory>]>([
  ['name', { name: 'Renamed' }],
  ['started_at', { started_at: '2026-08-20T10:00:00.001Z' }],
  ['ended_at', { ended_at: '2026-08-20T10:15:00.001Z' }],
  ['duration_seconds', { duration_seconds: 901 }],
  ['summary', { summary: { quick_summary: 'We met.', key_takeaways: ['All is well!'] } }],
  ['summary', { summary: { quick_summary: 'We met!', key_takeaways: ['All is well.'] } }],
  ['summary', { summary: null }],
  ['is_processing', { is_processing: true }],
  ['audio_url', { audio_url: null }],
  ['video_url', { video_url: 'https://media.example.com/a.webm?signature=URLSECRET' }],
  ['preview_image_url', { preview_image_url: 'https://media.example.com/a.png?signature=URLSECRET' }],
])('reports and names another %s', async (field, difference) => {
  const { told, changes } = await watchThrough([[memory('mem_1')], [memory('mem_1', difference)]]);
  expect(told).toEqual(['added mem_1', 'processed mem_1', `changed mem_1 ${field}`]);
  expect(changes[2]).toMatchObject({ memory: difference });
});

test.each<[string, () => StubAnswer]>([
  ['500', serverError],
  ['a page of HTML', () => new Response('<html>')],
  ['a fault of the network', () => new TypeError('fetch failed')],
])('never treats %s as an empty list, and passes it to onError', async (_title, failure) => {
  const onError = vi.fn(() => {
    throw new Error('A broken log line.');
  });
  const { told, times } = await watchThrough([[processing('mem_1')], failure, [processing('mem_1')]], { onError });
  expect(told).toEqual(['added mem_1']);
  // Each poll makes only one attempt.
  expect(times).toEqual([0, 30_000, 60_000, 90_000]);
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ request: expect.anything() }), {
    isFatal: false,
    failures: 1,
    nextDelay: 30_000,
  });
});

const forbidden = () => json({ detail: 'No.' }, { status: 403 });

test.each<[string, () => StubAnswer, object, WatchOptions['onError']?]>([
  ['401', unauthorized, { code: 'authentication' }],
  ['404', () => json({ detail: 'Not Found' }, { status: 404 }), { code: 'unexpected_response', status: 404 }],
  ['a broken structure', () => json([{ id: 7 }]), { code: 'invalid_response' }],
  [
    'a part of the list',
    () => json([], { headers: { link: '</v1?page=2>; rel="next"' } }),
    { code: 'invalid_response' },
  ],
  ['403, if onError returns nothing', forbidden, { status: 403 }, () => {}],
  ['403, if onError returns something else', forbidden, { status: 403 }, () => true],
  ['403, if onError rejects', forbidden, { status: 403 }, () => Promise.reject(new Error('A broken log line.'))],
])('ends the watch after %s', async (_title, failure, expected, onError) => {
  const { told, error, times } = await watchThrough([[processing('mem_1')], failure, []], { onError });
  expect(told).toEqual(['added mem_1']);
  expect(error).toMatchObject(expected);
  expect(times).toEqual([0, 30_000]);
});

const slowly = (answer: Response) => () => async () => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return answer;
};

test.each<[string, ListedMemory[] | (() => StubAnswer), WatchOptions, number[]]>([
  ['in intervals, however long each poll takes', slowly(json([])), { interval: 1_000 }, [0, 1_000, 2_000]],
  ['after Retry-After, counted from the response', slowly(tooMany(2)), { interval: 1_000 }, [0, 2_550, 3_550]],
  ...['999999999', '9'.repeat(30)].flatMap((seconds): [string, () => StubAnswer, WatchOptions, number[]][] => {
    const limited = () => tooMany(seconds);
    const short = { interval: 1_000, maxRetryAfter: 1_600 };
    return [
      [`after maxRetryAfter for ${seconds} s`, limited, { interval: 1_810_000 }, [0, 3_615_000, 5_425_000]],
      [`after a maxRetryAfter of its own for ${seconds} s`, limited, short, [0, 1_800, 2_800]],
    ];
  }),
])('polls %s', async (_title, first, options, times) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  expect((await watchThrough([first, [], [], []], options)).times.slice(0, 3)).toEqual(times);
});

test('onError continues a watch after an error that is not transient, with growing pauses up to 5 minutes', async () => {
  const events: unknown[] = [];
  const onError = async (error: AnyMemoryApiError, { isFatal, failures, nextDelay }: WatchErrorEvent) => {
    events.push([error.code, isFatal, failures, nextDelay]);
    return 'continue';
  };
  const looks = [forbidden, serverError, forbidden, unauthorized, [memory('mem_1')], forbidden, []];
  const { told, error, times } = await watchThrough([...looks, ...Array(9).fill([])], { interval: 100_000, onError });
  expect(events).toEqual([
    ['unexpected_response', true, 1, 100_000],
    ['server', false, 2, 100_000],
    ['unexpected_response', true, 3, 200_000],
    ['authentication', true, 4, 300_000],
    ['unexpected_response', true, 1, 100_000],
  ]);
  expect(times.slice(0, 7)).toEqual([0, 100_000, 200_000, 400_000, 700_000, 800_000, 900_000]);
  expect(told).toEqual(['added mem_1', 'processed mem_1', 'missing mem_1']);
  expect(error).toBeUndefined();
});

test('the tenth error in a row that is not transient ends the watch', async () => {
  const onError = vi.fn(() => 'continue');
  const looks = [...Array(20).fill(forbidden), ...Array(300).fill([])];
  const { error, times } = await watchThrough(looks, { interval: 10_000, onError });
  expect(error).toMatchObject({ code: 'unexpected_response' });
  expect([times.length, onError.mock.calls.length]).toEqual([10, 10]);
});

test('an invalid key always ends the watch', async () => {
  const onError = vi.fn(() => 'continue');
  const watch = polledApi(() => json([]), { apiKey: () => '' }).client.watchMemories({ onError });
  expect(await rejection(watch[Symbol.asyncIterator]().next())).toBeInstanceOf(ConfigurationError);
  expect(onError).toHaveBeenCalledTimes(1);
});

const bad = (id: unknown) => ({ ...memory('mem_0'), id, name: 7 }) as unknown as ListedMemory;

test('does not report an invalid memory as missing, and reports it once to onError', async () => {
  const events: unknown[] = [];
  const onError = (error: AnyMemoryApiError, event: WatchErrorEvent) => {
    events.push([error.code === 'invalid_response' && error.memoryIds, event.isFatal, event.failures, event.nextDelay]);
  };
  const [last, first] = [processing('mem_2'), processing('mem_1')];
  const broken = [last, bad('mem_1')];
  const lists = [[last, first], broken, broken, [last, first], broken, [last, bad(7)], [last]];
  const { told, error } = await watchThrough(lists, { onError });
  expect(told).toEqual(['added mem_1', 'added mem_2', 'missing mem_1']);
  expect(error).toBeUndefined();
  expect(events).toEqual([
    [['mem_1'], false, 0, 30_000],
    [['mem_1'], false, 0, 30_000],
    [[], false, 0, 30_000],
  ]);
});

test('reports to onError only items that were valid before, however many are invalid', async () => {
  const onError = vi.fn<NonNullable<WatchOptions['onError']>>();
  const many = [memory('mem_a'), ...Array.from({ length: 30 }, (_, index) => bad(`mem_${index + 1}`))];
  await watchThrough([many, [...many, bad('mem_b')], serverError, [...many, bad('mem_b')]], { onError });
  expect(onError.mock.calls.map(([error]) => error)).toMatchObject([
    { memoryIds: { length: 20 } },
    {
      memoryIds: ['mem_b'],
      message:
        'Failed to list memories: the response violates the specification at name of memory "mem_b" (item 31): ' +
        'expected string, received number. Report it to the operator of the API.',
    },
    { code: 'server' },
  ]);
});

test.each(['strict', 'warn', 'skip', 'off'] as const)(
  'in mode %s, no memory is missing while an id is unreadable',
  async (mode) => {
    const options = { validation: mode, initial: 'skip' } as const;
    const lists = [[memory('mem_1'), memory('mem_2')], [memory('mem_1'), bad(7)], [memory('mem_1')]];
    expect(await watchThrough(lists.slice(0, 2), options)).toMatchObject({ told: [], error: undefined });
    expect(await watchThrough(lists, options)).toMatchObject({ told: ['missing mem_2'], error: undefined });
  },
);

test('with initial: skip, a broken memory of the first list is known and never added', async () => {
  const repaired = [memory('mem_1'), processing('mem_2')];
  const lists = [
    [memory('mem_0'), bad('mem_1'), bad('mem_2'), bad('mem_3')],
    [memory('mem_0'), ...repaired],
  ];
  const { told, watch } = await watchThrough(lists, { initial: 'skip' });
  const fields = 'name,started_at,ended_at,duration_seconds,summary,is_processing';
  expect(told).toEqual([expect.stringContaining('changed mem_2 '), 'processed mem_1', 'missing mem_3']);
  for (const field of fields.split(',')) expect(told[0]).toContain(field);
  const resumed = await watchThrough([lists[0] ?? []], { initial: 'skip' });
  const state = storedState(resumed.watch);
  expect((await watchThrough(lists.slice(1), { state })).told).toEqual(told);
  expect(watch.state.memories.map(([id]) => id)).toEqual(['mem_0', 'mem_1', 'mem_2']);
});

test('ends if onError aborts while an item is left out, or if every memory breaks the contract', async () => {
  const ending = new AbortController();
  const onError = () => ending.abort(new Error('Enough.'));
  const ended = await watchThrough([[memory('mem_1'), bad('mem_2')]], { signal: ending.signal, onError });
  expect(ended).toMatchObject({ told: [], error: { message: 'Enough.' } });
  const { error } = await watchThrough([[processing('mem_1')], [bad('mem_1')]]);
  expect(error).toMatchObject({ code: 'invalid_response', memoryIds: ['mem_1'] });
});

/** A watch over one list, with its changes one by one. */
function openWatch(list: ListedMemory[], options: WatchOptions = {}) {
  const { client, requests, signals } = polledApi(() => json(list));
  const watch = client.watchMemories(options);
  return { watch, changes: watch[Symbol.asyncIterator](), requests, signals, client };
}

const idsOf = (watch: MemoryWatch) => watch.state.memories.map(([memoryId]) => memoryId);

test('the state contains a change once the next next() is called', async () => {
  const { watch, changes } = openWatch([processing('mem_2'), processing('mem_1')]);
  expect(watch.state).toEqual({ version: 1, account: null, memories: [] });
  await changes.next();
  expect(idsOf(watch)).toEqual([]);
  const second = changes.next();
  expect(idsOf(watch)).toEqual(['mem_1']);
  await second;
  expect(idsOf(watch)).toEqual(['mem_1']);
  const third = changes.next();
  expect(idsOf(watch)).toEqual(['mem_1', 'mem_2']);
  await watch.close();
  expect(await third).toEqual({ done: true, value: undefined });
  expect(idsOf(watch)).toEqual(['mem_1', 'mem_2']);
});

const spellings = ['.000Z', 'Z', '.000+00:00', '+00:00', ''];
const spelled = (id: string, end: string, changes: Partial<ListedMemory> = {}) =>
  memory(id, { started_at: `2026-08-20T10:00:00${end}`, ended_at: `2026-08-20T10:15:00${end}`, ...changes });

test('a watch reports another time, but not another spelling of a time', async () => {
  const moved = spelled('mem_1', '.000+00:00', { ended_at: '2026-08-20T10:15:00.000-01:00' });
  const { told } = await watchThrough([...spellings.map((end) => [spelled('mem_1', end)]), [moved]]);
  expect(told).toEqual(['added mem_1', 'processed mem_1', 'changed mem_1 ended_at']);
});

/** The state of an earlier version, which stored the texts of the times: each memory has one of the spellings. */
const earlierState: WatchState = {
  version: 1,
  account: 'kejyz4tf2r',
  memories: [
    ['mem_0', '1 19eqlcbcxco 1psraun3jn5 1mvpesx2c47 2c2a85pdct 1289qkf6wm0 0 1 0 0'],
    ['mem_1', '1 19eqlcbcxco h4tybq45iz 194lkzghkht 2c2a85pdct 1289qkf6wm0 0 1 0 0'],
    ['mem_2', '1 19eqlcbcxco 2gbzqa0c22c 18vi2lyx6sa 2c2a85pdct 1289qkf6wm0 0 1 0 0'],
    ['mem_3', '1 19eqlcbcxco 1cwe6anag24 dxmz3q8sta 2c2a85pdct 1289qkf6wm0 0 1 0 0'],
    ['mem_4', '1 19eqlcbcxco 16uh0ii8zqv 1vii20gaui8 2c2a85pdct 1289qkf6wm0 0 1 0 0'],
  ],
};
const asStored = spellings.map((end, index) => spelled(`mem_${index}`, end));
const asSpelledLater = spellings.map((_end, index) => spelled(`mem_${index}`, '.0Z'));

test('a watch resumes from the state of an earlier version, and then knows the instants', async () => {
  const first = await watchThrough([asStored, asStored], { state: earlierState });
  expect(first.told).toEqual([]);
  const state = storedState(first.watch);
  expect(new Set(state.memories.map(([, fingerprint]) => fingerprint)).size).toBe(1);
  expect((await watchThrough([asSpelledLater, asStored], { state })).told).toEqual([]);
});

test('a watch reports only what changed since the state of an earlier version', async () => {
  const changed = [
    memory('mem_5'),
    ...asStored.slice(0, 3),
    { ...(asStored[3] as ListedMemory), name: 'Retro' },
    spelled('mem_4', '', { started_at: '2026-08-20T10:00:01' }),
  ];
  const { told } = await watchThrough([changed, changed], { state: earlierState });
  expect(told).toEqual(['changed mem_4 started_at', 'changed mem_3 name', 'added mem_5', 'processed mem_5']);
});

test('a state contains ids and digests, but no text and no URL', async () => {
  const { watch } = await watchThrough([[memory('mem_1'), processing('mem_2')]]);
  expect(JSON.stringify(watch.state)).toMatch(
    /^\{"version":1,"account":"[\da-z]{1,11}","memories":\[\["mem_2","[01][\da-z ]+"\],\["mem_1","[01][\da-z ]+"\]\]\}$/,
  );
});

test('rejects the state of another account or base URL, but accepts that of an empty account', async () => {
  const { watch } = await watchThrough([[memory('mem_1')]]);
  const other = await watchThrough([[memory('mem_1', { user_id: 'user_2' })]], { state: watch.state });
  expect(other.error).toMatchObject({ code: 'configuration', message: expect.stringContaining('another account') });
  expect(other.told).toEqual([]);
  const { client } = polledApi(() => json([memory('mem_1')]), { baseUrl: 'https://other.example.com' });
  const changes = client.watchMemories({ state: watch.state })[Symbol.asyncIterator]();
  expect(await rejection(changes.next())).toMatchObject({ code: 'configuration' });
  // A list without memories shows no account.
  expect((await watchThrough([[]], { state: watch.state })).told).toEqual(['missing mem_1']);
  const empty = await watchThrough([[]]);
  expect((await watchThrough([[processing('mem_1')]], { state: empty.watch.state })).told).toEqual(['added mem_1']);
});

const none = { version: 1, account: null, memories: [] };
const isNone = 'is not the state of a watch';

test.each<[string, unknown, string]>([
  ['a later version', { ...none, version: 2 }, 'version 2, which is not supported'],
  ['no version', { ...none, version: undefined }, isNone],
  ['another account', { ...none, account: 7 }, isNone],
  ['no memories', { ...none, memories: undefined }, isNone],
  ['an invalid memory', { ...none, memories: [['mem_1', 'x']] }, isNone],
  ['an invalid id', { ...none, memories: [[1, '-']] }, isNone],
  ['a fingerprint that is not a text', { ...none, memories: [['mem_1', ['-']]] }, isNone],
  ['an invalid start', { ...none, initial: 'all' }, isNone],
  ['null', null, 'state is null, which is not supported'],
  ['a text in its place', '{}', isNone],
])('rejects a state with %s at the first next(), before any request', async (_title, state, problem) => {
  const { changes, requests } = openWatch([], { state: state as never });
  const error = await rejection(changes.next());
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(problem) });
  expect(requests).toEqual([]);
});

test.each<[string, unknown]>([
  ['interval is 0, which is not a number from 1 to 2,147,483,647. Pass milliseconds.', { interval: 0 }],
  ['interval is false, which is not a number from 1 to 2,147,483,647. Pass milliseconds.', { interval: false }],
  ['initial is ', { initial: 'all' }],
  ['onError is ', { onError: 'log' }],
  ['signal is ', { signal: {} }],
])('rejects an option because %s, at the first next() and before any request', async (problem, options) => {
  const { changes, requests } = openWatch([], options as WatchOptions);
  const error = await rejection(changes.next());
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(problem) });
  expect(requests).toEqual([]);
});

test.each<[string, () => StubAnswer, WatchOptions]>([
  ['a request', () => never, {}],
  ['a pause', () => json([]), {}],
  ['a decision of onError', unauthorized, { onError: () => new Promise(() => {}) }],
])('close() and an abort end a watch at once during %s, and leave nothing behind', async (_title, answer, options) => {
  for (const end of ['close', 'abort']) {
    const { client, requests } = polledApi(answer);
    const aborting = new AbortController();
    const watch = client.watchMemories({ signal: aborting.signal, ...options });
    const next = Promise.allSettled([watch[Symbol.asyncIterator]().next()]);
    await vi.advanceTimersByTimeAsync(10);
    // It can be closed again.
    const closed = end === 'abort' ? aborting.abort('enough') : Promise.all([watch.close(), watch.close()]);
    await vi.advanceTimersByTimeAsync(0);
    await closed;
    const expected = end === 'abort' ? { reason: 'enough' } : { value: { done: true, value: undefined } };
    expect(await next).toMatchObject([expected]);
    expect([requests.length, vi.getTimerCount()]).toEqual([1, 0]);
    expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
  }
});

test('a watch that is closed before it starts sends no request', async () => {
  const { watch, changes, requests } = openWatch([memory('mem_1')]);
  await watch.close();
  expect(await changes.next()).toEqual({ done: true, value: undefined });
  expect(requests).toEqual([]);
});

test('leaving the loop closes the watch', async () => {
  const { signal } = new AbortController();
  const { watch, changes, requests } = openWatch([memory('mem_1')], { signal });
  await changes.next();
  await changes.return?.();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([requests.length, getEventListeners(signal, 'abort'), idsOf(watch)]).toEqual([1, [], []]);
});

test('rejects a second iteration of a watch', async () => {
  const { watch } = openWatch([]);
  expect(await rejection(watch[Symbol.asyncIterator]().next())).toMatchObject({ code: 'configuration' });
});
