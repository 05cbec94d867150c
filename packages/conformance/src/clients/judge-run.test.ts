import { expect, test } from 'vitest';
import { findViolation, type JudgedRun } from './judge-run.ts';
import { readResult } from './read-result.ts';
import { scenarios } from './scenarios/scenarios.ts';

type Request = JudgedRun['requests'][number];

const api: Partial<Request> = { to: 'api', keyIn: ['authorization'] };
const late: Partial<Request> = { ...api, elapsed: 1_960 };
const elsewhere: Partial<Request> = { to: 'elsewhere', keyIn: ['x-api-key'] };
const storage: Partial<Request> = { to: 'media', keyIn: [], hasQuery: true };
const range: Partial<Request> = { status: 206, ended: 'sent' };
const cutRange: Partial<Request> = { ...storage, status: 206, ended: 'fault', elapsed: 300 };
const bytes = Buffer.from('0123456789');
const memories = [
  { id: 'mem_a', name: 'One', started_at: '2026-03-01T12:00:00Z' },
  { id: 'mem_b', name: 'Two', started_at: '2026-03-01T11:00:00.250+01:00' },
];

interface Case extends Partial<Omit<JudgedRun, 'scenario' | 'requests' | 'command'>> {
  requests?: Partial<Request>[];
  command?: Partial<JudgedRun['command']>;
  line?: unknown;
}

/** Judges a run that passes but for what is given. Its requests are 100 ms apart. */
function judge(id: string, { requests, command, line, ...given }: Case = {}): string | undefined {
  const scenario = scenarios.find((each) => each.id === id);
  if (scenario === undefined) throw new Error(`There is no scenario ${id}.`);
  const { operation, ends } = scenario;
  const success = {
    list: { memories: [{ id: 'mem_a' }, { id: 'mem_b' }] },
    get: { memory: { id: 'mem_a' } },
    download: {},
  };
  const result = line ?? (ends === 'error' ? { ok: false } : { ok: true, ...success[operation] });
  const sent = requests ?? (operation === 'download' ? [api, storage] : [api]);
  return findViolation({
    scenario,
    command: {
      code: (result as { ok: boolean }).ok ? 0 : 1,
      signal: null,
      stdout: '',
      stderr: '',
      durationMs: 1,
      ...command,
    },
    result: readResult(JSON.stringify(result)),
    timeout: 20_000,
    requests: sent.map(
      (each, index) =>
        ({
          method: 'GET',
          hasQuery: false,
          bodyBytes: 0,
          headers: {},
          elapsed: index * 100,
          endedAfter: 0,
          ...each,
        }) as Request,
    ),
    leaks: [],
    memories,
    file: bytes,
    objects: [bytes],
    ...given,
  });
}

const error = { ok: false, error: 'no' };
const times = (count: number, each: Partial<Request>) => Array.from({ length: count }, () => each);
const every = (milliseconds: number) =>
  times(6, api).map((each, index) => ({ ...each, elapsed: 500 + index * milliseconds }));
/** The clock of the second memory, without its offset. */
const wallTime = '2026-03-01T11:00:00.250Z';
const killed = { code: null, signal: 'SIGKILL' } as const;
const listed = (...changes: object[]) => ({
  ok: true,
  memories: memories.map((memory, index) => ({ ...memory, ...changes[index] })),
});

test.each<[string, string, Case]>([
  ['the right data', 'list', {}],
  ['the key in X-API-Key', 'list', { requests: [{ ...api, keyIn: ['x-api-key'] }] }],
  ['six requests in 200 ms', '503-always', { requests: every(40) }],
  ['ten requests to the API', 'list', { requests: times(10, api) }],
  ['twenty requests to the storage', 'download', { requests: [api, ...times(20, storage)] }],
  ['sixty redirects at once', 'redirect-loop', { requests: times(60, { ...api, elapsed: 1 }) }],
  ['other data of another origin', 'redirect-key', { line: { ok: true, memories: [] } }],
  ['an error in place of a pause', 'retry-after-hour', { line: error }],
  ['a second request after the pause', 'retry-after', { requests: [api, late] }],
  ['an error where retries are not demanded', 'media-half', { line: error }],
  ['a HEAD request to the storage', 'download', { requests: [api, { ...storage, method: 'HEAD' }, storage] }],
  // A client may read a file in ranges, in parallel.
  ['twenty ranges at once', 'download', { requests: [api, ...times(20, { ...storage, ...range, elapsed: 1 })] }],
  ['an error without a status', '401', {}],
  ['the status of the error', '401', { line: { ...error, status: 401 } }],
  ['a list with nulls in a struct', 'list', { line: listed({ name: null }, { started_at: null }) }],
  ['a start with a small z', 'list', { line: listed({ started_at: '2026-03-01t12:00:00z' }) }],
  ['the zero of a struct as the status', '401', { line: { ...error, status: 0 } }],
  ['a skip', 'list', { line: { skip: 'no lists' }, requests: [] }],
  ['a start in milliseconds', 'list', { line: listed({}, { started_at: Date.UTC(2026, 2, 1, 10, 0, 0, 250) }) }],
  ['a start in another zone', 'list', { line: listed({ started_at: '2026-03-01 17:30:00+05:30' }) }],
  [
    'another whole object of the storage',
    'media-changed',
    { file: Buffer.from('new'), objects: [bytes, Buffer.from('new')] },
  ],
])('%s passes %s', (_what, id, run) => {
  expect(judge(id, run)).toBe(undefined);
});

test.each<[string, string, Case]>([
  ['the key was sent in query', 'list', { requests: [{ ...api, keyIn: ['query'], hasQuery: true }] }],
  ['the key was sent in cookie', 'get', { requests: [{ ...api, keyIn: ['authorization', 'cookie'] }] }],
  ['the key was sent to the storage', 'download', { requests: [api, { ...storage, keyIn: ['authorization'] }] }],
  ['the key was sent to another origin', 'redirect-key', { requests: [api, elsewhere] }],
  ['the key was sent to another origin', 'list', { line: { skip: 'x' }, requests: [elsewhere] }],
  ['the output contains the key', '401', { leaks: ['the key'] }],
  ['a request has the method POST', 'list', { requests: [{ ...api, method: 'POST' }] }],
  ['a request has the method HEAD', 'get', { requests: [api, { ...api, method: 'HEAD' }] }],
  ['a request has the method PUT', 'download', { requests: [api, { ...storage, method: 'PUT' }, storage] }],
  [
    'a request has the method DELETE',
    'redirect-key',
    { requests: [api, { to: 'elsewhere', keyIn: [], method: 'DELETE' }] },
  ],
  ['a request to the storage has a body', 'download', { requests: [api, { ...storage, bodyBytes: 2 }] }],
  ['a request to the API has a body', 'list', { requests: [{ ...api, bodyBytes: 2 }] }],
  ['a request to the API has a query', 'list', { requests: [{ ...api, hasQuery: true }] }],
  ['a request to the API has no key', '401', { requests: [{ ...api, keyIn: [] }] }],
  ['11 requests were sent to the API', '500-always', { requests: times(11, api) }],
  ['61 requests were sent to the API', 'redirect-loop', { requests: times(61, api) }],
  ['21 requests were sent to the storage', 'media-403', { requests: [api, ...times(21, storage)] }],
  ['2 requests were sent to the API', '404', { requests: [api, api] }],
  ['1 request was sent to the storage', 'media-null', { requests: [api, storage] }],
  ['6 requests were sent within 200 ms', '503-always', { requests: every(39) }],
  ['6 requests were sent within 200 ms', 'media-403', { requests: [api, ...times(6, { ...storage, elapsed: 300 })] }],
  ['6 requests were sent within 200 ms', 'media-failed-file', { requests: [api, ...times(6, cutRange)] }],
  ['the command did not end in 20000 ms', 'stall-head', { command: { ...killed, stopped: 'timeout' } }],
  ['the command printed no result (exit code 0)', 'list', { line: 'done', command: { code: 0 } }],
  ['the command printed no result (signal SIGKILL)', 'list', { line: 'done', command: killed }],
  ['the command was ended by SIGKILL', 'list', { command: killed }],
  ['the command printed more than 16 MiB', 'list', { command: { ...killed, stopped: 'output' } }],
  ['the command could not be started (ENOENT)', 'list', { line: '', command: { stopped: { startError: 'ENOENT' } } }],
  ['ok is false, and the exit code is 0', '401', { command: { code: 0 } }],
  ['ok is true, and the exit code is 1', 'list', { command: { code: 1 } }],
  ['the command reported success', 'body-cut', { line: { ok: true, memories: [] } }],
  ['the command reported an error', 'get', { line: error }],
  ['the command reported the status 500', '503-always', { line: { ...error, status: 500 } }],
  ['0 requests were sent to the API', 'reset', { requests: [] }],
  ['0 requests were sent to the API', 'list', { requests: [] }],
  ['0 requests were sent to the storage', 'media-403', { requests: [api] }],
  ['the second request was sent after 1900 ms', 'retry-after', { requests: [{ ...api, endedAfter: 60 }, late] }],
  ['the list has 1 memory instead of 2', 'list', { line: { ok: true, memories: [{ id: 'mem_a' }] } }],
  ['memories is not a list', 'list', { line: { ok: true } }],
  ['memories[0].id is not that of the server', 'list', { line: listed({ id: 'mem_b' }, { id: 'mem_a' }) }],
  ['memory.id is not that of the server', 'get', { line: { ok: true, memory: null } }],
  ['memories[1].name is not that of the server', 'list', { line: listed({}, { name: 'Tw\ufffd' }) }],
  ['memories[1].started_at is not that of the server', 'list', { line: listed({}, { started_at: wallTime }) }],
  ['the command reported success, and there is no file', 'download', { file: undefined }],
  [
    'the command reported success, and the file has other bytes (10 bytes instead of 10)',
    'media-wrong-range',
    { file: Buffer.from('0123401234') },
  ],
  ['no request for the rest of the file was sent', 'media-resume', {}],
  ['a file remains', 'media-failed-file', {}],
])('“%s” breaks %s', (observed, id, run) => {
  expect(judge(id, run)).toBe(observed);
});

test.each(['', 'null', '[]', '{}', '{"ok":"true"}', '{"skip":""}', '{"ok":true}\nDone.', '{"ok":tru'])(
  '%j is not a result',
  (stdout) => {
    expect(readResult(stdout)).toBe(undefined);
  },
);

// Serializers of structs print fields without a value too.
test.each<[object, object]>([
  [
    { ok: true, skip: null, error: null },
    { ok: true, error: null },
  ],
  [{ ok: true, skip: '' }, { ok: true }],
  [{ ok: true, skip: 'x' }, { ok: true }],
  [
    { ok: false, skip: 7, error: 'no' },
    { ok: false, error: 'no' },
  ],
  [{ ok: false, skip: 'no lists', error: '' }, { skip: 'no lists' }],
  [{ ok: null, skip: 'no lists' }, { skip: 'no lists' }],
])('%j is the result %j', (line, result) => {
  expect(readResult(JSON.stringify(line))).toEqual(result);
});

test('the result is the last line of standard output', () => {
  expect(readResult('\ufefflog\r\n{"ok":false}\r\n{"ok":true}\r\n\n')).toEqual({ ok: true });
});
