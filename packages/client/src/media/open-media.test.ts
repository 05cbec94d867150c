import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import {
  ConnectionError,
  type MediaDownloadError,
  MemoryNotFoundError,
  type OpenMediaOptions,
  RateLimitError,
  RequestTimeoutError,
} from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { answerWith, createBytes, readAll, type StorageObject } from '../testing/storage-object.ts';
import { useVirtualRuntime } from '../testing/virtual-runtime.ts';
import type { MediaReading, MediaSource } from './media-source.ts';
import { startDownload } from './open-media.ts';

const bytes = createBytes(20_000);
const whole: StorageObject = { bytes };
const other: StorageObject = { bytes: createBytes(20_000, 2), etag: '"v2"' };
const signedUrl = 'https://storage.example.com/a.wav?signature=URLSECRET';
const target = { memoryId: 'mem_1', kind: 'audio', site: new Error() } as const;

type Answer = StorageObject | Response | Error | ((request: Request) => Response | Promise<Response>);
type Reading = string | null | Error;

interface SourceOptions {
  readonly readings?: readonly Reading[];
  readonly userIds?: readonly string[];
  readonly maxRetryAfter?: number;
}

/** A storage that returns these responses in turn and repeats the last one. The URLs of the memory do the same. */
function createSource(
  answers: readonly Answer[],
  { readings = [signedUrl], userIds = ['user_1'], maxRetryAfter }: SourceOptions = {},
) {
  const requests: Request[] = [];
  const { runtime, pauses, timers } = useVirtualRuntime();
  const nth = <Item>(items: readonly Item[], index: number) => items[Math.min(index, items.length - 1)] as Item;
  const readMediaUrl = vi.fn(async (): Promise<MediaReading> => {
    const url = nth(readings, readMediaUrl.mock.calls.length - 1);
    if (url instanceof Error) throw url;
    const userId = nth(userIds, readMediaUrl.mock.calls.length - 1);
    const mediaUrl = url === null ? null : { url, expiresAt: new Date(0) };
    return { mediaUrl, userId, apiKey: 'KEYSECRET', context: () => ({ requestId: 'req_1' }) };
  });
  const source: MediaSource = {
    allows: ({ hostname }) => hostname !== 'forbidden.example.com',
    maxRetryAfter,
    apiKeys: [],
    proxyHint: () => ', or HINT',
    forgetMediaUrl: () => {},
    readMediaUrl,
    async fetch(request) {
      requests.push(request);
      const answer = nth(answers, requests.length - 1);
      if (answer instanceof Error) throw answer;
      if (answer instanceof Response) return answer.clone();
      return typeof answer === 'function' ? answer(request) : answerWith(request, answer);
    },
  };
  const open = (options: OpenMediaOptions = {}) => startDownload(source, target, options);
  return { open, requests, readMediaUrl, pauses, timers, uptime: runtime.uptime };
}

/** Downloads the media. Returns the bytes that were delivered, the error, and what the storage saw. */
async function download(answers: readonly Answer[], options?: OpenMediaOptions, sourceOptions?: SourceOptions) {
  const source = createSource(answers, sourceOptions);
  const chunks: Uint8Array[] = [];
  const ended = (async () => {
    for await (const chunk of (await source.open(options)).body) chunks.push(chunk);
  })();
  const error = await ended.catch((reason: unknown) => reason);
  const reads = source.readMediaUrl.mock.calls.length;
  return { ...source, error, received: Buffer.concat(chunks), reads, ranges: ranges(source.requests) };
}

const all = Buffer.from(bytes);
const cut: StorageObject = { ...whole, cutAfter: 5_000 };
const tooShort = () => new Response(bytes.slice(0, 4_096), { headers: { etag: '"v1"', 'content-length': '20000' } });
const ranges = (requests: readonly Request[]) => requests.map(({ headers }) => headers.get('range'));
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(code === 204 || code === 304 ? null : 'x', { status: code, headers });

const part = (range: string, headers: Record<string, string> = {}, body: BodyInit = 'x'.repeat(15_000)) =>
  new Response(body, { status: 206, headers: { etag: '"v1"', 'content-range': range, ...headers } });

test('returns the whole object with the metadata of the storage', async () => {
  const { open, requests, readMediaUrl, timers } = createSource([whole]);
  const { body, ...about } = await open();
  expect(about).toEqual({ contentType: 'audio/wav', size: 20_000, etag: '"v1"', isEndKnown: true, start: 0 });
  expect(await readAll(body)).toEqual(Buffer.from(bytes));
  expect([requests.length, readMediaUrl.mock.calls.length, timers.size]).toEqual([1, 1, 0]);
});

test('requests unencoded bytes, without cookies, a referrer or a range', async () => {
  const [request] = (await download([whole])).requests;
  expect(request?.url).toBe(signedUrl);
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({ 'accept-encoding': 'identity' });
  expect(request).toMatchObject({ method: 'GET', credentials: 'omit', redirect: 'manual' });
  expect(request?.referrerPolicy).toBe('no-referrer');
});

test.each<[string, Answer[], (string | null)[]]>([
  ['a cut', [{ ...whole, cutAfter: 5_000 }, whole], [null, 'bytes=5000-']],
  ['a stall', [{ ...whole, stallAfter: 5_000 }, whole], [null, 'bytes=5000-']],
  ['an early but clean end', [tooShort, whole], [null, 'bytes=4096-']],
  ['a network fault', [new TypeError('fetch failed'), whole], [null, null]],
  ['Response.error()', [() => Response.error(), whole], [null, null]],
  ['a 503', [status(503), whole], [null, null]],
  ['a 500, a 408 and a 429', [status(500), status(408), status(429), whole], [null, null, null, null]],
  ['headers that never come', [() => new Promise(() => {}), whole], [null, null]],
  ['a cut before the first byte', [{ ...whole, cutAfter: 0 }, whole], [null, null]],
  ['many cuts', [{ ...whole, cutAfter: 4_000 }], [null, 'bytes=4000-', 'bytes=8000-', 'bytes=12000-', 'bytes=16000-']],
])('%s does not change the bytes', async (_title, answers, expected) => {
  const { received, error, requests, reads, timers, ...seen } = await download(answers);
  expect([received.equals(all), error, seen.ranges]).toEqual([true, undefined, expected]);
  for (const { headers } of requests) expect(headers.get('if-range')).toBe(headers.has('range') ? '"v1"' : null);
  expect([reads, timers.size]).toEqual([1, 0]);
});

test.each([400, 401, 403, 404, 410])(
  'after a %i, reads the memory again and continues with its fresh URL',
  async (code) => {
    const readings = [signedUrl, 'https://new.example.com/a.wav?signature=2'];
    const { received, requests, pauses, ...seen } = await download([cut, status(code), whole], {}, { readings });
    expect(received.equals(all)).toBe(true);
    expect(requests.map(({ url }) => new URL(url).host.split('.')[0])).toEqual(['storage', 'storage', 'new']);
    expect(seen.ranges).toEqual([null, 'bytes=5000-', 'bytes=5000-']);
    expect(pauses).toEqual([75, 0]);
  },
);

test('reads the memory only once between two bytes', async () => {
  const refused = await download([status(403)]);
  expect(refused.error).toMatchObject({ reason: 'refused', status: 403, bytesReceived: 0 });
  expect(refused.reads).toBe(2);
  const twice = await download([cut, status(403), cut, status(403), whole]);
  expect([twice.received.equals(all), twice.reads]).toEqual([true, 3]);
});

const short = part('bytes 5000-9999/20000', {}, bytes.slice(5_000, 10_000));

test.each<[string, Answer[], number, number, number[]]>([
  ['five attempts in a row without a byte', [cut, status(502)], 5_000, 6, [75, 150, 300, 600, 1_200]],
  [
    'five attempts after a short part, which does not count as a failure',
    [cut, short, status(502)],
    10_000,
    7,
    [75, 150, 300, 600, 1_200],
  ],
  ...['0', '0.001'].map((seconds): [string, Answer[], number, number, number[]] => {
    const answer = status(502, { 'retry-after': seconds });
    return [`five attempts with a Retry-After of ${seconds} s`, [answer], 0, 5, [150, 300, 600, 1_200]];
  }),
])('fails after %s, and keeps the bytes so far', async (_title, answers, bytesReceived, sent, expected) => {
  const { error, received, requests, pauses } = await download(answers);
  expect(error).toMatchObject({ code: 'media_download', reason: 'interrupted', status: 502, bytesReceived });
  expect(received.equals(all.subarray(0, bytesReceived))).toBe(true);
  expect([requests.length, pauses]).toEqual([sent, expected]);
});

test('an abort during the response rejects', async () => {
  const controller = new AbortController();
  const answer = (request: Request) => {
    const response = answerWith(request, whole);
    Object.defineProperty(response, 'status', {
      get() {
        controller.abort('Gone.');
        return 200;
      },
    });
    return response;
  };
  expect(await rejection(createSource([answer]).open({ signal: controller.signal }))).toBe('Gone.');
});

test('each byte between failures allows five further attempts', async () => {
  const crumbs = Array.from({ length: 4 }, () => [status(500), status(500), status(500), { ...whole, cutAfter: 1 }]);
  expect((await download([...crumbs.flat(), whole])).received.equals(all)).toBe(true);
});

test.each([301, 302, 307, 405, 412, 204, 304, 451])('a %i fails at once', async (code) => {
  const location = 'https://elsewhere.example.com/?s=URLSECRET';
  const { error, requests } = await download([status(code, { location })]);
  expect(error).toMatchObject({ reason: 'refused', status: code < 400 ? undefined : code });
  expect(String(error)).toContain(` answered ${code}. `);
  expect(requests).toHaveLength(1);
});

test('obeys Retry-After of the API when it reads the memory again, up to maxRetryAfter', async () => {
  const tooMany = (seconds: number) =>
    new RateLimitError('Slow down.', { status: 429, detail: undefined, retryAfterMs: seconds * 1_000 });
  const answers = [cut, status(403), whole];
  const patient = await download(answers, {}, { readings: [signedUrl, tooMany(60), signedUrl] });
  expect(patient.received.equals(all)).toBe(true);
  expect(patient.pauses).toContain(67_500);
  const hours = await download(answers, {}, { readings: [signedUrl, tooMany(3_600)] });
  expect(hours.error).toMatchObject({
    reason: 'interrupted',
    cause: { code: 'rate_limited' },
    message: expect.stringContaining(
      ': the API returned no fresh URL and requested a pause of 3600000 ms, which is longer than 120000 ms. ',
    ),
  });
  expect(hours.reads).toBe(2);
});

test('never resumes with the object of another account', async () => {
  const { error, requests } = await download([cut, status(403), whole], {}, { userIds: ['user_1', 'user_2'] });
  expect(error).toMatchObject({
    reason: 'changed',
    bytesReceived: 5_000,
    message: expect.stringContaining(': the API key now belongs to another account. '),
  });
  expect(requests).toHaveLength(2);
});

test('reads the memory in the asynchronous context of openMedia, even if other code reads the body', async () => {
  const caller = new AsyncLocalStorage<string>();
  const { open, readMediaUrl } = createSource([cut, status(403), whole]);
  const callers: unknown[] = [];
  const read = readMediaUrl.getMockImplementation() ?? expect.fail();
  readMediaUrl.mockImplementation(() => {
    callers.push(caller.getStore());
    return read();
  });
  const { body } = await caller.run('Ada', () => open());
  expect(await caller.run('Grace', () => readAll(body))).toHaveLength(20_000);
  expect(callers).toEqual(['Ada', 'Ada']);
});

test.each(['Identity', '', 'aws-chunked'])('accepts bytes with the encoding %j as unencoded', async (encoding) => {
  const { received } = await download([{ ...whole, headers: { 'content-encoding': encoding } }]);
  expect(received).toHaveLength(20_000);
});

test.each<[Record<string, string>, boolean]>([
  [{ 'content-length': '20000' }, true],
  [{ 'transfer-encoding': 'Chunked' }, true],
  [{ 'transfer-encoding': 'identity' }, false],
  [{ 'transfer-encoding': 'gzip, chunked' }, false],
  [{ 'transfer-encoding': 'xchunked' }, false],
  [{ 'transfer-encoding': 'chunked', connection: 'close' }, false],
  [{ 'transfer-encoding': 'chunked', connection: 'keep-alive' }, true],
  [{}, false],
])('the headers %j decide whether an early end can be detected', async (headers, expected) => {
  expect(await createSource([new Response(bytes, { headers })]).open()).toMatchObject({ isEndKnown: expected });
});

test('hides the long values of the URL where the storage repeats them, with or without their names', async () => {
  const signature = 'Zm9vYmFyLXNpZ25hdHVyZQ==';
  const url = `https://storage.example.com/a.wav?type=audio%2Fwav&s=${encodeURIComponent(signature)}`;
  const headers = { 'x-denied': signature, 'x-seen': encodeURIComponent(signature), 'x-type': 'audio/wav' };
  const error = (await download([status(451, headers)], {}, { readings: [url] })).error as MediaDownloadError;
  expect(error.responseHeaders).toMatchObject({ 'x-denied': '[redacted]', 'x-type': 'audio/wav' });
  expect(JSON.stringify(error.responseHeaders)).not.toContain(signature.slice(0, 12));
});

test('obeys Retry-After of the storage up to maxRetryAfter, with jitter', async () => {
  const answers = [status(503, { 'retry-after': '60' }), whole];
  expect((await download(answers)).pauses).toEqual([67_500]);
  for (const { error } of [
    await download([status(503, { 'retry-after': '277403' }), whole]),
    await download(answers, { maxRetryAfter: 59_999 }),
    await download(answers, {}, { maxRetryAfter: 59_999 }),
  ])
    expect(error).toMatchObject({ reason: 'interrupted', status: 503 });
});

test.each<[string, string, Answer, string]>([
  ['another object, whole', '"v1"', other, 'changed'],
  ['another object in a 206', '"v1"', part('bytes 5000-19999/20000', { etag: '"v2"' }), 'changed'],
  ['a 206 of another size', '"v1"', part('bytes 5000-20999/21000'), 'changed'],
  ['a 206 with a weak ETag', '"v1"', part('bytes 5000-19999/20000', { etag: 'W/"v1"' }), 'changed'],
  ['a 206 without an ETag', '"v1"', status(206, { 'content-range': 'bytes 5000-19999/20000' }), 'changed'],
  ['a 416', '"v1"', status(416, { 'content-range': 'bytes */4000' }), 'changed'],
  ['the same object, whole', '"v1"', status(200, { etag: '"v1"' }), 'not_resumable'],
  ['a 206 from another byte', '"v1"', part('bytes 5001-19999/20000'), 'invalid'],
  ['a 206 from an earlier byte', '"v1"', part('bytes 0-19999/20000'), 'invalid'],
  ['a 206 beyond the end', '"v1"', part('bytes 5000-20000/20000'), 'invalid'],
  ['a 206 backwards', '"v1"', part('bytes 5000-4999/20000', {}, ''), 'invalid'],
  ['a 206 without a range', '"v1"', status(206, { etag: '"v1"' }), 'invalid'],
  ['a 206 of several ranges', '"v1"', part('multipart'), 'invalid'],
  ['a compressed 206', '"v1"', part('bytes 5000-19999/20000', { 'content-encoding': 'gzip' }), 'invalid'],
  ['a cut of an object with a weak ETag', 'W/"v1"', whole, 'not_resumable'],
])(
  'after 5,000 bytes, %s ends the download, and none of its bytes are delivered',
  async (_title, etag, answer, reason) => {
    const { error, received } = await download([{ ...cut, etag }, answer]);
    expect(error).toMatchObject({ name: 'MediaDownloadError', reason, bytesReceived: 5_000 });
    expect(received.equals(all.subarray(0, 5_000))).toBe(true);
  },
);

const nameless = { ...whole, etag: null };
const lost = { ...whole, cutAfter: 0 };
const sized = (length: number) => ({ ...whole, headers: { 'content-length': String(length) } });
const unmarked = (length: number) => () =>
  new Response(new Blob([createBytes(length)]).stream(), { headers: { etag: '"v1"' } });
const broken = () => new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
const marked = () => new Response(broken(), { headers: { etag: '"v1"', 'transfer-encoding': 'chunked' } });

test.each<[string, Answer[], object]>([
  ['a cut after a byte without an ETag', [{ ...nameless, cutAfter: 1 }], { reason: 'not_resumable', bytesReceived: 1 }],
  ['an object that changes before its first byte', [lost, other], { reason: 'changed', bytesReceived: 0 }],
  ['an encoded body', [status(200, { 'content-encoding': 'br' })], { reason: 'invalid' }],
  ['a part nobody asked for', [part('bytes 0-14999/15000')], { reason: 'invalid' }],
  ['a body that is longer than it says', [sized(19_999)], { reason: 'invalid' }],
  ['a body that is shorter than it says', [sized(20_001)], { code: 'media_download' }],
  ['a 416 where the whole was asked for', [status(416, { 'content-range': 'bytes */0' })], { reason: 'changed' }],
  ['a later body longer than the first length', [lost, unmarked(20_001)], { reason: 'invalid' }],
  ['a later body that is shorter', [lost, unmarked(19_999), status(500)], { reason: 'interrupted' }],
  ['a body without a marked end after one with it', [marked, unmarked(5)], { reason: 'invalid', bytesReceived: 0 }],
])('rejects %s', async (_title, answers, expected) => {
  expect((await download(answers)).error).toMatchObject(expected);
});

test('without an ETag, a cut before the first byte does not fail', async () => {
  expect((await download([{ ...nameless, cutAfter: 0 }, nameless])).received.equals(all)).toBe(true);
});

test('an object of unknown length ends with its body, and is resumed if it breaks', async () => {
  const chunked = (cutAfter?: number) => (request: Request) => {
    const answer = answerWith(request, { ...whole, cutAfter });
    answer.headers.delete('content-length');
    return answer;
  };
  expect(await createSource([chunked()]).open()).toMatchObject({ size: null });
  for (const answers of [[chunked()], [chunked(5_000), chunked(5_000), whole]])
    expect((await download(answers)).received.equals(all)).toBe(true);
});

test('joins parts that are shorter than requested, without a pause', async () => {
  const slices = (request: Request) => {
    const first = Number(/\d+/.exec(request.headers.get('range') ?? '0'));
    if (first === 0) return answerWith(request, { ...whole, cutAfter: 3_000 });
    const last = Math.min(first + 2_999, 19_999);
    return part(`bytes ${first}-${last}/20000`, {}, bytes.slice(first, last + 1));
  };
  const { received, pauses } = await download([slices]);
  expect([received.equals(all), pauses.length]).toEqual([true, 1]);
});

test.each([{ cutAfter: 20_000 }, { stallAfter: 20_000 }])(
  '%j, after the last byte, does not affect the download',
  async (fault) => {
    const { received, requests } = await download([{ ...whole, ...fault }]);
    expect([received.equals(all), requests.length]).toEqual([true, 1]);
  },
);

/** A response of a `fetch` that implements its own streams. */
const oddAnswer = (reader: object) => () =>
  ({ status: 200, headers: new Headers({ etag: '"v1"' }), body: { getReader: () => reader } }) as unknown as Response;

test.each(['TRANSCRIPT', 7, { text: 'TRANSCRIPT' }])('a body of %j is a mistake of the fetch option', async (value) => {
  const { error } = await download([oddAnswer({ read: async () => ({ done: false, value }) })]);
  expect(error).toMatchObject({
    ...{ code: 'configuration', option: 'fetch' },
    message: expect.stringContaining(`a body of type ${typeof value} instead of bytes`),
  });
  expect(inspect(error, { depth: 10 })).not.toContain('TRANSCRIPT');
});

test('empty chunks do not count as progress', async () => {
  const start = (controller: ReadableStreamDefaultController) => {
    controller.enqueue(new Uint8Array());
    controller.close();
  };
  const empty = () => new Response(new ReadableStream({ start }), { headers: { 'content-length': '5' } });
  const { error, requests } = await download([empty]);
  expect(error).toMatchObject({ reason: 'interrupted' });
  expect(requests).toHaveLength(5);
});

const none: StorageObject = { bytes: new Uint8Array() };

test.each<[number, StorageObject, (string | null)[]]>([
  [15_000, whole, ['bytes=15000-']],
  [20_000, whole, ['bytes=20000-']],
  [0, other, [null]],
  [0, none, [null]],
])('a start at the byte %i of an object has the bytes from there on: %#', async (byte, object, expected) => {
  const { open, requests, timers } = createSource([object]);
  const { body, ...about } = await open({ start: { byte, etag: '"v1"' } });
  const { etag = '"v1"' } = object;
  expect(about).toMatchObject({ size: object.bytes.length, etag, start: byte });
  expect(await readAll(body)).toEqual(Buffer.from(object.bytes.subarray(byte)));
  expect([ranges(requests), timers.size]).toEqual([expected, 0]);
  expect(requests[0]?.headers.get('if-range')).toBe(byte > 0 ? etag : null);
});

test.each<[string, Answer, string]>([
  ['another object', other, 'changed'],
  ['a storage that knows no ranges', () => new Response(bytes, { headers: { etag: '"v1"' } }), 'not_resumable'],
  ['a shorter object that the storage does not name', status(416, { 'content-range': 'bytes */14999' }), 'changed'],
])('a start that meets %s delivers nothing', async (_title, answer, reason) => {
  const error = await rejection(createSource([answer]).open({ start: { byte: 15_000, etag: '"v1"' } }));
  expect(error).toMatchObject({ reason, bytesReceived: 15_000 });
});

test('maxBytes limits the size of the object, whether known in advance or not', async () => {
  expect((await createSource([whole]).open({ maxBytes: 20_000 })).size).toBe(20_000);
  expect(await rejection(createSource([whole]).open({ maxBytes: 19_999 }))).toMatchObject({ reason: 'too_large' });
  const unknown = () => new Response(bytes.slice());
  expect((await download([unknown], { maxBytes: 19_999 })).error).toMatchObject({ reason: 'too_large' });
});

test('progress counts the bytes of the whole object', async () => {
  const events: unknown[] = [];
  const { body } = await createSource([{ ...whole, chunkSize: 3_000 }]).open({
    start: { byte: 15_000, etag: '"v1"' },
    onProgress: (event) => {
      events.push(event);
      throw new Error('The bar is broken.');
    },
  });
  await readAll(body);
  expect(events).toEqual([18_000, 20_000].map((bytesReceived) => ({ bytesReceived, size: 20_000 })));
});

test('reads nothing before it is requested, and a slow reader does not count as a stall', async () => {
  let pulls = 0;
  const pull = (controller: ReadableStreamDefaultController) => {
    pulls += 1;
    controller.enqueue(bytes.slice(0, 1_000));
    if (pulls === 5) controller.close();
  };
  const counted = () =>
    new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: { 'content-length': '5000' } });
  const { open, pauses, timers } = createSource([counted]);
  const reader = (await open()).body.getReader();
  expect(pulls).toBe(0);
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect([pulls, pauses, timers.size]).toEqual([1, [], 0]);
  while (!(await reader.read()).done);
  expect(pulls).toBe(5);
});

test('an abort rejects or ends the body with the reason of its signal, and leaves nothing behind', async () => {
  const reason = new Error('The user went away.');
  const controller = new AbortController();
  const aborted = createSource([whole]);
  expect(await rejection(aborted.open({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(aborted.requests).toHaveLength(0);

  const stalled = createSource([{ ...whole, stallAfter: 5_000 }]);
  const { body } = await stalled.open({ signal: controller.signal });
  const reader = body.getReader();
  await reader.read();
  await reader.read();
  const reading = rejection(reader.read());
  controller.abort(reason);
  expect(await reading).toBe(reason);
  expect([stalled.requests[0]?.signal.aborted, stalled.timers.size]).toEqual([true, 0]);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('an abort between two reads ends the body and the request at once', async () => {
  const controller = new AbortController();
  const { open, requests } = createSource([whole]);
  const reader = (await open({ signal: controller.signal })).body.getReader();
  await reader.read();
  controller.abort('Gone.');
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(await rejection(reader.closed)).toBe('Gone.');
});

test('an abort during a backoff or before the headers rejects at once', async () => {
  for (const answer of [Promise.resolve(status(503)), new Promise<Response>(() => {})]) {
    const controller = new AbortController();
    const abortSoon = () => {
      setImmediate(() => controller.abort('Gone.'));
      return answer;
    };
    const { open, pauses } = createSource([abortSoon]);
    expect(await rejection(open({ signal: controller.signal }))).toBe('Gone.');
    expect(pauses).toEqual([]);
  }
});

test('cancelling a body ends its request, even if the storage never confirms it', async () => {
  const neverSettles = () =>
    new Response(new ReadableStream({ pull: () => {}, cancel: () => new Promise(() => {}) }), { status: 200 });
  const { open, requests, timers } = createSource([neverSettles]);
  const { body } = await open();
  await body.cancel();
  expect([requests[0]?.signal.aborted, timers.size]).toEqual([true, 0]);
});

test('a body that was read to its end or failed leaves no listener', async () => {
  const { signal } = new AbortController();
  const timed = await download([whole], { signal, totalTimeout: 1_000_000 });
  expect([timed.timers.size, timed.uptime()]).toEqual([0, 0]);
  for (const answers of [[cut, other], [status(451)]]) await download(answers, { signal, totalTimeout: 1_000 });
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('cancels the body of a fetch that ignores its signal and responds after the timeout', async () => {
  const cancel = vi.fn();
  const respondLate = ({ signal }: Request) =>
    new Promise<Response>((resolve) => {
      signal.addEventListener('abort', () => setImmediate(resolve, new Response(new ReadableStream({ cancel }))));
    });
  const { requests } = await download([respondLate, whole], { headersTimeout: 5 });
  expect(requests[0]?.signal.aborted).toBe(true);
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
});

const drip = Array.from({ length: 40 }, () => [
  { ...whole, cutAfter: 500 },
  status(503, { 'retry-after': '120' }),
  status(429, { 'retry-after': '120' }),
]).flat();

test('by default, nothing ends a download that makes progress', async () => {
  const { received, uptime } = await download(drip);
  expect(received.equals(all)).toBe(true);
  expect(uptime()).toBeGreaterThan(2.5 * 3_600_000);
});

test('totalTimeout covers the opening and the body', async () => {
  const { error, uptime } = await download(drip, { totalTimeout: 1_000_000 });
  expect(error).toMatchObject({ code: 'timeout', limit: 'total', timeoutMs: 1_000_000 });
  expect(uptime()).toBe(1_000_000);
  const late = await download([status(503, { 'retry-after': '100' })], { totalTimeout: 1_000 });
  expect(late.error).toMatchObject({
    code: 'timeout',
    request: { attempts: 1, url: 'https://storage.example.com/a.wav' },
    responseHeaders: { 'retry-after': '100' },
    cause: { code: 'media_download', reason: 'interrupted', status: 503 },
  });
});

const silent = () => new Promise<Response>(() => {});
const stall = { ...whole, stallAfter: 5_000 };

test.each<[OpenMediaOptions, Answer[], number[]]>([
  [{ stallTimeout: 7_000 }, [stall, whole], [7_000]],
  [{ headersTimeout: 8_000 }, [silent, whole], [8_000]],
  [{}, [silent, stall, whole], [30_000, 30_000]],
])('applies the timeouts of the options %j', async (options, answers, expected) => {
  const { pauses } = await download(answers, options);
  expect(pauses.filter((pause) => pause > 1_000)).toEqual(expected);
});

test('a memory without the media rejects with MediaUnavailableError, even if it loses them during the download', async () => {
  const none = await download([whole], {}, { readings: [null] });
  expect(none.error).toMatchObject({
    name: 'MediaUnavailableError',
    memoryId: 'mem_1',
    kind: 'audio',
    requestId: 'req_1',
    message:
      'Failed to download the audio of memory "mem_1": the memory has no audio. Choose media whose URL is not null.',
  });
  expect(none.requests).toHaveLength(0);
  const lost = await download([cut, status(403)], {}, { readings: [signedUrl, null] });
  expect(lost.error).toMatchObject({ code: 'media_unavailable' });
});

const unreachable = { reason: 'unreachable' } as const;
const connectionError = new ConnectionError('Failed to get memory: the network is away. Wait.', unreachable);
const late = { limit: 'total', timeoutMs: 1 } as const;
const tooSlow = new RequestTimeoutError('Failed to get memory: it is late. Wait.', late);
const notFound = new MemoryNotFoundError('Failed to get memory: it is gone. Go.', { memoryId: 'm', status: 404 });

test('tolerates failures of later reads of the memory, unless they are permanent', async () => {
  expect((await download([whole], {}, { readings: [connectionError] })).error).toBe(connectionError);
  const withReadings = (...later: Reading[]) =>
    download([cut, status(403), whole], {}, { readings: [signedUrl, ...later] });
  expect((await withReadings(connectionError, tooSlow, signedUrl)).received.equals(all)).toBe(true);
  expect((await withReadings(notFound)).error).toBe(notFound);
  expect((await withReadings(connectionError)).error).toMatchObject({ reason: 'interrupted', cause: connectionError });
});

test.each(['', 'a.wav', '/a.wav', 'ftp://x/a.wav', 'data:,x', 'https://', 'https://u:p@x.example.com/a.wav'])(
  'the URL %j fails at once',
  async (url) => {
    const { error, requests } = await download([whole], {}, { readings: [url] });
    expect(error).toMatchObject({ reason: 'invalid' });
    expect(requests).toHaveLength(0);
  },
);

test('fails at once if the certificate of the storage is rejected', async () => {
  const faultCode = 'DEPTH_ZERO_SELF_SIGNED_CERT';
  const cause = Object.assign(new Error('self-signed'), { code: faultCode });
  const { error, requests } = await download([new TypeError('fetch failed', { cause })]);
  expect(error).toMatchObject({ reason: 'refused', faultCode, cause: { cause: { code: faultCode } } });
  expect(requests).toHaveLength(1);
});

test('errors name the storage without the query of the URL, contain no key, and say what to do', async () => {
  const encoded = { ...whole, headers: { 'content-encoding': 'x' } };
  const fault = new TypeError(`Failed to parse ${signedUrl} with KEYSECRET`);
  for (const answer of [fault, encoded, status(451, { location: signedUrl })]) {
    const { error } = await download([answer]);
    expect(error).toMatchObject({ request: { method: 'GET', url: 'https://storage.example.com/a.wav' } });
    expect(inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error)).not.toContain('SECRET');
  }
  const message =
    'Failed to download the audio of memory "mem_1": the storage answered 451. Check that the storage accepts the URLs of the API, and its certificate.';
  expect((await download([status(451)])).error).toMatchObject({ message });
});

test.each<[string, object]>([
  [': headersTimeout is ', { headersTimeout: 0 }],
  [': stallTimeout is ', { stallTimeout: Number.NaN }],
  [': totalTimeout is ', { totalTimeout: -1 }],
  [': maxBytes is ', { maxBytes: 0.5 }],
  [': start.byte is ', { start: { byte: -1, etag: '"v1"' } }],
  [': start.etag is ', { start: { byte: 5, etag: 'W/"v1"' } }],
  [': start.etag is ', { start: { byte: 5, etag: 'v1' } }],
  [': onProgress is ', { onProgress: 'x' }],
  [': signal is ', { signal: {} }],
])('rejects an option with %s before any request', async (problem, options) => {
  const { error, reads } = await download([whole], options);
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(problem) });
  expect(reads).toBe(0);
});

test.each([
  [[signedUrl.replace('storage', 'forbidden')], 0, 0],
  [[signedUrl, signedUrl.replace('storage', 'forbidden')], 2, 4_096],
])('sends no request to a forbidden origin, also after a renewal of the URL: %#', async (readings, sent, received) => {
  const { error, requests } = await download([tooShort(), status(403), whole], {}, { readings });
  expect(error).toMatchObject({
    reason: 'forbidden_origin',
    bytesReceived: received,
    message:
      'Failed to download the audio of memory "mem_1": media from https://forbidden.example.com is not allowed. ' +
      'Check the API, or add the origin to mediaOrigins.',
  });
  expect(inspect(error) + JSON.stringify(error)).not.toContain('URLSECRET');
  expect(requests.map(({ url }) => url)).toEqual(Array(sent).fill(signedUrl));
});
