import { expect, test } from 'vitest';
import type { ServerFault, ServerFaultMatch } from '../server/faults/wire-fault.ts';
import { createFaultSchedule } from './create-fault-schedule.ts';
import type { Fault } from './fault.ts';
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
const latin = "Use a text of characters up to U+00FF, 'stall', 'end', 'reset', { wait }, { drip, every }";

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

test.each<[unknown, string, ServerFaultMatch?]>([
  // The kind
  ['nothing', `the fault is "nothing", which is not supported. Use { status }, { delay }, { stop }`],
  ['steps', 'the fault is "steps", which is not supported'],
  ['__proto__', 'the fault is "__proto__", which is not supported'],
  [null, 'the fault is null, which is not supported'],
  [['end'], 'the fault is ["end"], which is not supported'],
  [
    {},
    'the fault has neither status nor delay nor stop nor bytesPerSecond nor redirect nor respond nor fields nor steps',
  ],
  [{ framing: 'exact' }, 'the fault has neither status nor'],
  [{ stop: 'in-head', by: 'end', status: 500 }, 'the fault has both status and stop. Pass one of them.'],
  [{ steps: [], fields: {} }, 'the fault has both fields and steps. Pass one of them.'],
  [{ redirect: 302, by: 'end' }, 'the fault has both by and redirect. Pass one of them.'],
  [{ bytesPerSecond: 5, retryAfter: 1_000 }, 'the fault has both retryAfter and bytesPerSecond'],
  [{ stop: 'in-head', by: 'end', at: 5 }, 'the field "at" of the fault is not supported'],
  [JSON.parse('{"__proto__": 1, "delay": 1}'), 'the field "__proto__" of the fault is not supported'],
  // Fields
  [
    { stop: 'head', by: 'end' },
    `stop is "head", which is not supported. Use 'before-head', 'in-head', 'after-head', {`,
  ],
  ...[
    { bytes: -1 },
    { bytes: 0.5 },
    { share: 1.1 },
    { share: '1' },
    { bytes: 1, share: 1 },
    { bytes: 1, at: 1 },
    {},
    null,
  ].map((stop): [unknown, string] => [{ stop, by: 'end' }, `stop is ${JSON.stringify(stop)}, which is not supported`]),
  [{ stop: 'in-head' }, `by is undefined, which is not supported. Use 'reset', 'end' or 'stall'.`],
  [{ stop: 'in-head', by: 'close' }, 'by is "close", which is not supported'],
  [
    { stop: 'in-head', by: 'end', framing: 'http' },
    `framing is "http", which is not supported. Use 'length', 'chunked'`,
  ],
  ...['reset', 'stall'].map((by): [unknown, string] => [
    { stop: 'after-head', by, framing: 'exact' },
    "framing 'exact' needs by 'end'. Pass by: 'end'.",
  ]),
  ...[0, 1.5, '9', 2e9, null].map((rate): [unknown, string] => [
    { bytesPerSecond: rate },
    `bytesPerSecond is ${JSON.stringify(rate)}, which is not a whole number from 1 to 1,000,000,000. Pass bytes for each`,
  ]),
  [{ redirect: 304 }, 'redirect is 304, which is not supported. Use 301, 302, 303, 307 or 308.'],
  ...['', 'a\nb', 5].map((to): [unknown, string] => [
    { redirect: 302, to },
    `to is ${JSON.stringify(to)}, which is not an address. Use 'elsewhere', 'self' or a URL.`,
  ]),
  [{ respond: 'ok' }, 'respond is "ok", which is not an object'],
  [{ respond: { text: '' } }, 'the field "respond.text" of the fault is not supported. Use status, headers or body.'],
  [{ respond: { status: 101 } }, 'respond.status is 101, which is not a whole number from 200 to 599'],
  [{ respond: { body: {} } }, 'respond.body is {}, which is not a string'],
  [
    { respond: { status: 304, body: 'x' } },
    'a response with the status 204, 205 or 304 has no body. Remove respond.body',
  ],
  ...[
    { 'a b': 'x' },
    { a: 'x\ny' },
    { a: 5 },
    { a: 'ł' },
    { 'Content-Length': '5' },
    { 'transfer-encoding': 'gzip' },
    [],
  ].flatMap((headers): [unknown, string][] => [
    [{ respond: { headers } }, `respond.headers is ${JSON.stringify(headers)}, which is not an object of headers`],
    [{ status: 500, headers }, `headers is ${JSON.stringify(headers)}, which is not an object of headers`],
  ]),
  [{ status: 429, retryAfterStyle: 'date' }, 'retryAfterStyle needs retryAfter. Pass retryAfter, in milliseconds.'],
  [
    { status: 429, retryAfter: 0, retryAfterStyle: 'days' },
    `retryAfterStyle is "days", which is not supported. Use 's`,
  ],
  [{ fields: [] }, 'fields is [], which is not an object'],
  [{ steps: 'end' }, 'steps is "end", which is not an array'],
  ...[
    'ł',
    5,
    null,
    {},
    { wait: -1 },
    { wait: 1, every: 1 },
    { drip: '', every: 1 },
    { drip: 'a' },
    { flood: '' },
    { gzip: 'a', times: 0 },
    { gzip: 'a' },
  ].map((step): [unknown, string] => [
    steps('x', step, 'end'),
    `step 2 is ${JSON.stringify(step)}, which is not supported. ${latin}`,
  ]),
  [steps({ flood: 'ł'.repeat(100_000) }), `step 1 is {"flood":"${'ł'.repeat(70)}…, which is not supported`],
  [{ status: 500, delay: 5 }, 'the fault has both status and delay. Pass one of them.'],
  [{ delay: 5, retryAfter: 1000 }, 'the fault has both retryAfter and delay. Pass one of them.'],
  [{ status: 500, constructor: 1 }, 'the field "constructor" of the fault is not supported'],
  [{ status: 200 }, 'status is 200, which is not a whole number from 400 to 599. Pass the status of an error.'],
  [{ status: 600 }, 'status is 600'],
  [{ status: undefined }, 'status is undefined'],
  [
    { status: 500, style: 'yml' },
    `style is "yml", which is not supported. Use 'json', 'text', 'html', 'xml' or 'fastapi'.`,
  ],
  [{ status: 500, detail: 5 }, 'detail is 5, which is not a string. Pass a string.'],
  [
    { status: 429, retryAfterSeconds: -1 },
    'retryAfterSeconds is -1, which is not a whole number from 0 to 1,000,000,000.',
  ],
  [
    { status: 500, retryAfter: 1_500 },
    'retryAfter is 1500, which is not a multiple of 1,000 from 0 to 1,000,000,000,000',
  ],
  [{ status: 500, retryAfter: '7' }, 'retryAfter is "7", which'],
  [
    { status: 500, retryAfter: 1_000, retryAfterSeconds: 1 },
    'the fault has both retryAfter and retryAfterSeconds. Pass retryAfter, in milliseconds.',
  ],
  ...[-1, 2 ** 31, '5'].map((delay): [unknown, string] => [
    { delay },
    `delay is ${JSON.stringify(delay)}, which is not a number from 0 to 2,147,483,647. Pass milliseconds.`,
  ]),
  // What it affects
  ...['truncated-json', 'contract-violation'].flatMap((fault): [unknown, string, ServerFaultMatch][] => [
    [
      fault,
      `'${fault}' needs a response of the API, and match.operation excludes these. Use 'cut' or a status.`,
      media,
    ],
    [fault, `'${fault}' needs a response of the API, and match.media excludes these`, { media: 'audio' }],
  ]),
  [{ fields: {} }, '{ fields } needs a response of the API', media],
  ...['no-ranges', 'changed-object', 'foreign-range', 'wrong-range'].map((fault): [unknown, string] => [
    fault,
    `'${fault}' needs a request for media. Pass match.operation: 'media'.`,
  ]),
  ...['cut', 'garbage', 'no-ranges', { status: 500 }, { bytesPerSecond: 5 }, { redirect: 302 }, { fields: {} }].map(
    (fault): [unknown, string, ServerFaultMatch] => [
      fault,
      `needs a request, and a new connection has none. Use { steps }, or { stop: 'before-head' }.`,
      connection,
    ],
  ),
  ...['in-head', 'after-head', { bytes: 0 }].map((stop): [unknown, string, ServerFaultMatch] => [
    { stop, by: 'end' },
    `a new connection has no response. Use { steps }, or { stop: 'before-head' }.`,
    connection,
  ]),
])('a server refuses the fault %j: %s', (fault, message, match = {}) => {
  const schedule = create();
  const [next, always] = [schedule.next, schedule.always].map((add) => () => add(fault as ServerFault, { match }));
  for (const expected of [TypeError, failed, message]) {
    expect(next).toThrow(expected);
    expect(always).toThrow(expected);
  }
  expect(schedule.all()).toEqual([]);
});

test.each<[unknown, string]>([
  [
    { operation: 'list' },
    `match.operation is "list", which is not supported. Use 'listMemories', 'getMemory', 'media' or`,
  ],
  [{ operation: 'media', kind: 'sound' }, `match.kind is "sound", which is not supported. Use 'audio', 'video' or`],
  [{ kind: 'audio' }, "match.kind needs the operation 'media'. Pass match.operation: 'media'."],
  [{ operation: 'getMemory', kind: 'audio' }, "match.kind needs the operation 'media'"],
  [{ operation: 'media', media: 'audio' }, 'no request has both an operation and media'],
  [
    { operation: 'connection', memoryId: 'mem_1' },
    'a new connection has no request. Remove match.memoryId and match.re',
  ],
  [{ operation: 'connection', request: () => true }, 'a new connection has no request'],
  [{ operation: 'media', memoryId: 'mem_3' }, 'the memory "mem_3" does not exist. Pass one of "mem_1", "mem_2".'],
  [{ operation: 'media', kind: 'audio', memoryId: 'mem_2' }, 'the memory "mem_2" has no audio. Correct match.kind or'],
  [{ request: 'GET' }, 'match.request is "GET", which is not a function'],
  [{ path: '/' }, 'the option "path" is not supported. Use operation, media, memoryId, request or kind.'],
])('a server refuses the match %j', (match, message) => {
  const schedule = create();
  expect(() => schedule.next({ steps: [] }, { match: match as ServerFaultMatch })).toThrow(failed + message);
});

test.each<[unknown, string]>([
  [{ stop: 'in-head', by: 'reset' }, '{ stop }'],
  [{ bytesPerSecond: 5 }, '{ bytesPerSecond }'],
  [{ redirect: 302 }, '{ redirect }'],
  [{ respond: {} }, '{ respond }'],
  [{ fields: {} }, '{ fields }'],
  [{ steps: [] }, '{ steps }'],
  ['garbage', "'garbage'"],
  ['changed-object', "'changed-object'"],
  ['foreign-range', "'foreign-range'"],
  ['wrong-range', "'wrong-range'"],
])('a mock that is not a server refuses %j', (fault, label) => {
  const schedule = create(false);
  const message = `Failed to schedule a fault: ${label} needs a mock server. Use startMockServer of @memory-read/msw/server.`;
  expect(() => schedule.next(fault as ServerFault, { match: { media: 'audio' } })).toThrow(new TypeError(message));
  expect(() => schedule.next(fault as ServerFault)).toThrow(new TypeError(message));
});

test.each<[unknown, string, FaultMatch?]>([
  ['none', `the fault is "none", which is not supported. Use { status }, { delay }, 'network-error', 'truncated-json'`],
  [{}, 'the fault has neither status nor delay. Use'],
  ['no-ranges', "'no-ranges' needs a request for media. Pass match.media, such as 'audio'."],
  [
    'truncated-json',
    "'truncated-json' needs a response of the API, and match.media excludes these",
    { media: 'audio' },
  ],
])('a mock that is not a server refuses %j: %s', (fault, message, match = {}) => {
  const { next, always } = create(false);
  expect(() => next(fault as Fault, { match })).toThrow(failed + message);
  expect(() => always(fault as Fault, { match })).toThrow(message);
});

test.each<[unknown, string]>([
  [
    { match: { operation: 'media' } },
    `match.operation is "media", which is not supported. Use 'listMemories' or 'getMemory'.`,
  ],
  [{ match: { operation: 'connection' } }, 'match.operation is "connection", which is not supported'],
  [{ match: { kind: 'audio' } }, 'the option "kind" is not supported. Use operation, media, memoryId or request.'],
  [
    { match: { media: 'sound' } },
    `match.media is "sound", which is not supported. Use 'audio', 'video' or 'preview_image'.`,
  ],
  [
    { match: { media: 'audio', operation: 'getMemory' } },
    'no request has both an operation and media. Remove match.op',
  ],
  [{ match: { media: 'video', memoryId: 'mem_1' } }, 'the memory "mem_1" has no video. Correct match.media or match.'],
  [
    { match: { operation: 'listMemories', memoryId: 'mem_1' } },
    'a request of listMemories contains no memory id. Remove',
  ],
  [{ match: () => true }, 'match is a function, which is not an object.'],
  [{ mach: {} }, 'the option "mach" is not supported. Use times or match.'],
  [null, 'the options argument is null, which is not an object. Pass an object.'],
  ...[0, -1, 1.5, Number.NaN, 'always'].map((times): [unknown, string] => [
    { times },
    `times is ${typeof times === 'string' ? `"${times}"` : times}, which is not a whole number of at least 1. Pass 1 or more, or use always.`,
  ]),
])('a mock that is not a server refuses the options %j', (options, message) => {
  const { next } = create(false);
  expect(() => next('stall', options as object)).toThrow(failed + message);
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

test('a scheduled fault and its parts cannot be changed', () => {
  const schedule = create();
  const fault = { respond: { headers: { a: 'b' } } };
  schedule.next(fault);
  fault.respond.headers.a = 'c';
  const taken = schedule.take(request, list) as typeof fault;
  expect(taken).toEqual({ respond: { headers: { a: 'b' } } });
  expect(() => Object.assign(taken.respond.headers, { a: 'd' })).toThrow(TypeError);
});
