import { expect, test } from 'vitest';
import type { ServerFault, ServerFaultMatch } from '../server/faults/wire-fault.ts';
import { createFaultSchedule } from './create-fault-schedule.ts';
import type { FaultMatch } from './fault-schedule.ts';

const memories = () => [
  { id: 'mem_1', media: { audio: { object_key: 'a', content_type: 'audio/wav' } } },
  { id: 'mem_2', media: {} },
];
const create = (isServer = true) => createFaultSchedule({ memories: memories as never, isServer });
const media: ServerFaultMatch = { operation: 'media' };
const connection: ServerFaultMatch = { operation: 'connection' };
const steps = (...list: unknown[]) => ({ steps: list });
const failed = 'Failed to schedule a fault: ';

test.each<[unknown, ServerFaultMatch?]>([
  [{ status: 429, retryAfter: 0, retryAfterStyle: 'date', headers: { 'X-One': 'a b', 'retry-after': 'soon' } }],
  [{ status: 429, retryAfterSeconds: 5, retryAfterStyle: 'seconds', style: 'xml' }],
  [{ delay: 0 }],
  [{ stop: 'before-head', by: 'reset' }],
  [{ stop: 'in-head', by: 'stall' }],
  [{ stop: 'after-head', by: 'end', framing: 'exact' }],
  [{ stop: { bytes: 0 }, by: 'end', framing: 'close' }],
  [{ stop: { share: 1 }, by: 'reset', framing: 'chunked' }],
  [{ bytesPerSecond: 1 }],
  [{ redirect: 302 }],
  [{ redirect: 308, to: 'https://example.com/a?b' }],
  [{ respond: {} }],
  [{ respond: { status: 204, headers: { 'set-cookie': 'a=b' }, body: '' } }],
  [{ fields: { name: null, other: [1] } }],
  [steps()],
  [steps('', '\x00\xff', { wait: 1 }, { drip: 'a', every: 0 }, { flood: 'a' }, { gzip: 'a', times: 1 }, 'end')],
  ['garbage'],
  ['cut', media],
  ['no-ranges', media],
  ['changed-object', media],
  ['foreign-range', { operation: 'media', kind: 'video' }],
  ['wrong-range', { media: 'audio' }],
  [{ redirect: 307 }, media],
  [{ stop: 'before-head', by: 'end' }, connection],
  [steps('x'), connection],
])('a server schedules %j for %j, also from JSON', (fault, match = {}) => {
  const schedule = create();
  schedule.next(fault as ServerFault, { match });
  schedule.always(JSON.parse(JSON.stringify(fault)), { match: JSON.parse(JSON.stringify(match)) });
  expect(schedule.all()).toEqual([
    { id: 'fault-1', fault, match, left: 1, played: 0 },
    { id: 'fault-2', fault, match, left: null, played: 0 },
  ]);
});

/** Returns the message with which both `next` and `always` refuse a fault. */
function refusal(fault: unknown, match: ServerFaultMatch = {}, isServer = true): string {
  const schedule = create(isServer);
  const [next, always] = [schedule.next, schedule.always].map((add) => {
    try {
      return add(fault as ServerFault, { match });
    } catch (error) {
      return error;
    }
  });
  expect(next).toBeInstanceOf(TypeError);
  expect(always).toEqual(next);
  expect(schedule.all()).toEqual([]);
  const { message } = next as TypeError;
  expect(message).toMatch(/^Failed to schedule a fault: .*\. .*\.$/s);
  return message;
}

const badHeaders = [
  { 'a b': 'x' },
  { a: 'x\ny' },
  { a: 5 },
  { a: 'ł' },
  { 'Content-Length': '5' },
  { 'transfer-encoding': 'gzip' },
  [],
];
const places = [{ bytes: -1 }, { bytes: 0.5 }, { share: 1.1 }, { share: '1' }, { bytes: 1, share: 1 }];

test.each<[field: string, problem: string, values: unknown[], others?: object]>([
  ['stop', `supported. Use 'before-head', 'in-head', 'af`, ['head', {}, null, { bytes: 1, at: 1 }], { by: 'end' }],
  ['stop', "supported. Use 'before-head', 'in-head', 'after-head', { bytes }, or { share } fr", places, { by: 'end' }],
  ['by', "supported. Use 'reset', 'end' or 'stall'.", [undefined, 'close'], { stop: 'in-head' }],
  ['framing', "supported. Use 'length', 'chunked', 'close' or", ['http'], { stop: 'in-head', by: 'end' }],
  ['bytesPerSecond', 'a whole number from 1 to 1,000,000,000. Pass bytes for each second.', [0, 1.5, '9', 2e9, null]],
  ['redirect', 'supported. Use 301, 302, 303, 307 or 308.', [304]],
  ['to', "an address. Use 'elsewhere', 'self' or a URL.", ['', 'a\nb', 5], { redirect: 302 }],
  ['respond', 'an object. Pass an object.', ['ok', [], null]],
  ['respond.status', 'a whole number from 200 to 599. Pass the status of a response.', [101, '200']],
  ['respond.body', 'a string. Pass a string.', [{}]],
  ['respond.headers', 'an object of headers. Pass a text for each name', badHeaders],
  ['headers', 'an object of headers. Pass a text for each name', badHeaders, { status: 500 }],
  ['fields', 'an object. Pass an object.', [[], null]],
  ['steps', 'an array. Pass an array of steps.', ['end', null]],
  ['status', 'a whole number from 400 to 599. Pass the status of an error.', [200, 600, undefined]],
  ['style', "supported. Use 'json', 'text', 'html', 'xml' or 'fastapi'.", ['yml'], { status: 500 }],
  ['detail', 'a string. Pass a string.', [5], { status: 500 }],
  ['retryAfter', 'a multiple of 1,000 from 0 to 1,000,000,000,000', [1_500, '7'], { status: 500 }],
  ['retryAfterSeconds', 'a whole number from 0 to 1,000,000,000.', [-1], { status: 429 }],
  ['retryAfterStyle', "supported. Use 'seconds' or 'date'.", ['days'], { status: 429, retryAfter: 0 }],
  ['delay', 'a number from 0 to 2,147,483,647. Pass milliseconds.', [-1, 2 ** 31, '5']],
])('a server refuses a fault whose field %s is not %s', (field, problem, values, others) => {
  for (const value of values) {
    const [name = '', inner] = field.split('.');
    expect(refusal({ ...others, [name]: inner ? { [inner]: value } : value })).toContain(
      `${failed}${field} is ${JSON.stringify(value)}, which is not ${problem}`,
    );
  }
});

test('a server refuses what is neither a name nor an object, and steps that it cannot play', () => {
  for (const fault of ['nothing', 'steps', '__proto__', null, ['end'], 5])
    expect(refusal(fault)).toContain(
      `the fault is ${JSON.stringify(fault)}, which is not supported. Use { status }, { delay }, { stop }`,
    );
  const timed = [{ wait: -1 }, { wait: 1, every: 1 }, { drip: '', every: 1 }, { drip: 'a' }, { flood: '' }];
  for (const step of ['ł', 5, null, {}, ...timed, { gzip: 'a', times: 0 }, { gzip: 'a' }])
    expect(refusal(steps('x', step, 'end'))).toContain(
      `step 2 is ${JSON.stringify(step)}, which is not supported. Use a text of characters up to U+00FF, 'stall', 'end',`,
    );
  expect(refusal(steps({ flood: 'ł'.repeat(100_000) }))).toContain(
    `step 1 is {"flood":"${'ł'.repeat(70)}…, which is not supported`,
  );
});

test.each<[problem: string, fault: unknown]>([
  ['has neither status nor delay nor stop nor bytesPerSecond nor redirect nor respond nor fields nor steps. Use', {}],
  ['has neither status nor', { framing: 'exact' }],
  ['has both status and stop. Pass one of them.', { stop: 'in-head', by: 'end', status: 500 }],
  ['has both fields and steps. Pass one of them.', { steps: [], fields: {} }],
  ['has both by and redirect. Pass one of them.', { redirect: 302, by: 'end' }],
  ['has both retryAfter and bytesPerSecond. Pass one of them.', { bytesPerSecond: 5, retryAfter: 1_000 }],
  ['has both retryAfter and retryAfterSeconds. Pass r', { status: 500, retryAfter: 1_000, retryAfterSeconds: 1 }],
  ['the field "at" of the fault is not supported', { stop: 'in-head', by: 'end', at: 5 }],
  ['the field "__proto__" of the fault is not supported', JSON.parse('{"__proto__": 1, "delay": 1}')],
  ['the field "constructor" of the fault is not supported', { status: 500, constructor: 1 }],
  ['the field "respond.text" of the fault is not supported. Use status, headers or', { respond: { text: '' } }],
  ["framing 'exact' needs by 'end'. Pass by: 'end'.", { stop: 'after-head', by: 'reset', framing: 'exact' }],
  ["framing 'exact' needs by 'end'. Pass by: 'end'.", { stop: 'after-head', by: 'stall', framing: 'exact' }],
  ['the status 204, 205 or 304 has no body. Remove respond.body', { respond: { status: 304, body: 'x' } }],
  ['retryAfterStyle needs retryAfter. Pass retryAfter, in milliseconds.', { status: 429, retryAfterStyle: 'date' }],
])('a server refuses a fault: %s', (problem, fault) => {
  expect(refusal(fault)).toContain(problem);
});

const ofApi = ['truncated-json', 'contract-violation', { fields: {} }];
const ofMedia = ['no-ranges', 'changed-object', 'foreign-range', 'wrong-range'];
const late = ['in-head', 'after-head', { bytes: 0 }].map((stop) => ({ stop, by: 'end' }));

test.each<[problem: string, faults: unknown[], match?: ServerFaultMatch]>([
  ['needs a response of the API, and match.operation excludes these', ofApi, media],
  ["needs a response of the API, and match.media excludes these. Use 'cut' or a status.", ofApi, { media: 'audio' }],
  ["needs a request for media. Pass match.operation: 'media'.", ofMedia],
  ['needs a request, and a new connection has none', [...ofMedia, 'cut', 'garbage', { status: 500 }], connection],
  [
    `a request, and a new connection has none. Use { steps }, or { stop: 'before-head' }.`,
    [{ bytesPerSecond: 5 }, { redirect: 302 }, { fields: {} }],
    connection,
  ],
  [`a new connection has no response. Use { steps }, or { stop: 'before-head' }.`, late, connection],
])('a server refuses a fault for what it cannot affect: %s', (problem, faults, match) => {
  for (const fault of faults) expect(refusal(fault, match)).toContain(problem);
});

test.each<[unknown, string]>([
  [{ operation: 'list' }, `match.operation is "list", which is not supported. Use 'listMemories', 'getMemory', 'med`],
  [{ operation: 'media', kind: 'sound' }, `match.kind is "sound", which is not supported. Use 'audio', 'video' or`],
  [{ kind: 'audio' }, "match.kind needs the operation 'media'. Pass match.operation: 'media'."],
  [{ operation: 'getMemory', kind: 'audio' }, "match.kind needs the operation 'media'"],
  [{ operation: 'media', media: 'audio' }, 'no request has both an operation and media'],
  [{ operation: 'connection', memoryId: 'mem_1' }, 'a new connection has no request. Remove match.memoryId and m'],
  [{ operation: 'connection', request: () => true }, 'a new connection has no request'],
  [{ operation: 'media', memoryId: 'mem_3' }, 'the memory "mem_3" does not exist. Pass one of "mem_1", "mem_2".'],
  [{ operation: 'media', kind: 'audio', memoryId: 'mem_2' }, 'the memory "mem_2" has no audio. Correct match.kind or'],
  [{ request: 'GET' }, 'match.request is "GET", which is not a function'],
  [{ path: '/' }, 'the option "path" is not supported. Use one of: operation, media, memoryId, request, kind.'],
])('a server refuses the match %j', (match, message) => {
  const schedule = create();
  expect(() => schedule.next({ steps: [] }, { match: match as ServerFaultMatch })).toThrow(failed + message);
});

test('a mock that is not a server refuses all faults of a server', () => {
  const objects = [{ stop: 'in-head', by: 'reset' }, { bytesPerSecond: 5 }, { redirect: 302 }, { respond: {} }];
  const names = ['garbage', 'changed-object', 'foreign-range', 'wrong-range'];
  for (const fault of [...objects, { fields: {} }, { steps: [] }, ...names]) {
    const label = typeof fault === 'string' ? `'${fault}'` : `{ ${Object.keys(fault)[0]} }`;
    const message = `${failed}${label} needs a mock server. Use startMockServer of @memory-read/msw/server.`;
    for (const match of [{}, { media: 'audio' }] as const) expect(refusal(fault, match, false)).toBe(message);
  }
});

test.each<[unknown, string, FaultMatch?]>([
  ['none', `"none", which is not supported. Use { status }, { delay }, 'network-error', 'truncated-json'`],
  [{}, 'the fault has neither status nor delay. Use'],
  ['no-ranges', "'no-ranges' needs a request for media. Pass match.media, such as 'audio'."],
  ['truncated-json', 'needs a response of the API, and match.media excludes these', { media: 'audio' }],
])('a mock that is not a server refuses %j: %s', (fault, message, match) => {
  expect(refusal(fault, match, false)).toContain(message);
});

test.each<[unknown, string]>([
  [{ match: { operation: 'media' } }, `"media", which is not supported. Use 'listMemories' or 'getMemory'.`],
  [{ match: { operation: 'connection' } }, 'match.operation is "connection", which is not supported'],
  [
    { match: { kind: 'audio' } },
    'the option "kind" is not supported. Use one of: operation, media, memoryId, request.',
  ],
  [{ match: { media: 'sound' } }, `"sound", which is not supported. Use 'audio', 'video' or 'preview_image'.`],
  [{ match: { media: 'audio', operation: 'getMemory' } }, 'no request has both an operation and media. Remove ma'],
  [{ match: { media: 'video', memoryId: 'mem_1' } }, 'the memory "mem_1" has no video. Correct match.media or match.'],
  [{ match: { operation: 'listMemories', memoryId: 'mem_1' } }, 'a request of listMemories contains no memory id.'],
  [{ match: () => true }, 'match is a function, which is not an object.'],
  [{ mach: {} }, 'the option "mach" is not supported. Use one of: match, times.'],
  [null, 'the options argument is null, which is not an object. Pass an object.'],
  ...[0, -1, 1.5, Number.NaN, 'always'].map((times): [unknown, string] => [
    { times },
    `times is ${typeof times === 'string' ? `"${times}"` : times}, which is not a whole number of at least 1. Pass 1 or more, or use always.`,
  ]),
])('a mock that is not a server refuses the options %j', (options, message) => {
  const { next } = create(false);
  expect(() => next('stall', options as object)).toThrow(failed);
  expect(() => next('stall', options as object)).toThrow(message);
});

test('always() has no number of times', () => {
  const { always } = create(false);
  expect(() => always('stall', { times: 2 } as object)).toThrow(
    `${failed}the option "times" is not supported. Use match.`,
  );
});

const request = new Request('http://127.0.0.1/v1/memories');
const list = { operation: 'listMemories', memoryId: null, kind: null } as const;
const other = { operation: null, memoryId: null, kind: null } as const;
const get = { operation: 'getMemory', memoryId: 'mem_1', kind: null } as const;
const audio = { operation: 'media', memoryId: 'mem_1', kind: 'audio' } as const;
const video = { operation: 'media', memoryId: 'mem_2', kind: 'video' } as const;
const unknownMedia = { operation: 'media', memoryId: null, kind: null } as const;
const targets = { list, other, get, audio, video, unknownMedia };

test.each<[ServerFaultMatch, affected: (keyof typeof targets | 'connection')[]]>([
  [{}, ['list', 'other', 'get']],
  [{ operation: 'listMemories' }, ['list']],
  [{ memoryId: 'mem_1' }, ['get']],
  [media, ['audio', 'video', 'unknownMedia']],
  [{ operation: 'media', kind: 'audio' }, ['audio']],
  [{ media: 'audio' }, ['audio']],
  [{ operation: 'media', memoryId: 'mem_1' }, ['audio']],
  [{ request: ({ url }) => url.endsWith('/v1/memories') }, ['list', 'other', 'get']],
  [{ request: () => false }, []],
  [connection, ['connection']],
])('the match %j affects %j', (match, affected) => {
  const schedule = create();
  schedule.always({ steps: [] }, { match });
  const taken = Object.entries(targets).filter(([, target]) => schedule.take(request, target));
  const names = taken.map(([name]) => name);
  expect(schedule.takeForConnection() ? [...names, 'connection'] : names).toEqual(affected);
});

test('a schedule lists what can still be played, and cancels it by its id', () => {
  const schedule = create();
  const twice = schedule.next('stall', { times: 2 });
  const endless = schedule.next('cut', { times: Number.POSITIVE_INFINITY, match: { operation: 'getMemory' } });
  const standing = schedule.always('garbage');
  expect(schedule.take(request, list)).toBe('stall');
  expect(schedule.all()).toEqual([
    { id: twice.id, fault: 'stall', match: {}, left: 1, played: 1 },
    { id: endless.id, fault: 'cut', match: { operation: 'getMemory' }, left: null, played: 0 },
    { id: standing.id, fault: 'garbage', match: {}, left: null, played: 0 },
  ]);
  expect(schedule.take(request, list)).toBe('stall');
  expect([schedule.cancel(twice.id), schedule.cancel('fault-9'), schedule.cancel(endless.id)]).toEqual([
    false,
    false,
    true,
  ]);
  expect(schedule.all().map(({ id }) => id)).toEqual([standing.id]);
  schedule.clear();
  expect([schedule.all(), schedule.cancel(standing.id), twice.played]).toEqual([[], false, 2]);
  expect(schedule.next('cut').id).not.toBe(twice.id);
});

test('faults of next() come before the latest of always(), and each handle counts and cancels only its own', () => {
  const schedule = create();
  const play = (count: number) => Array.from({ length: count }, () => schedule.take(request, list));
  const cleared = schedule.always('cut');
  schedule.clear();
  const replaced = schedule.always('stall');
  const latest = schedule.always('garbage');
  const cancelled = schedule.next('cut', { times: 3 });
  const twice = schedule.next('network-error', { times: 2 });
  expect(play(1)).toEqual(['cut']);
  for (const { cancel } of [cancelled, cleared]) cancel();
  expect(play(4)).toEqual(['network-error', 'network-error', 'garbage', 'garbage']);
  const played = [cleared, replaced, latest, cancelled, twice].map((each) => each.played);
  expect(played).toEqual([0, 0, 2, 1, 2]);
  const next = schedule.next('cut');
  for (const { cancel } of [twice, latest]) cancel();
  expect([...play(2), next.played]).toEqual(['cut', 'stall', 1]);
});

test('a scheduled fault and its parts cannot be changed', () => {
  const schedule = create();
  const fault = { respond: { headers: { a: 'b' } } };
  schedule.next(fault);
  fault.respond.headers.a = 'c';
  const taken = schedule.take(request, list) as typeof fault;
  expect(taken).toEqual({ respond: { headers: { a: 'b' } } });
  expect(() => Object.assign(taken.respond.headers, { a: 'd' })).toThrow(TypeError);
});
