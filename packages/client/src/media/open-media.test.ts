import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import {
  ConnectionError,
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

/** A storage that returns these responses in turn and repeats the last one. The URLs of the memory do the same. */
function createSource(
  answers: readonly Answer[],
  readings: readonly Reading[] = [signedUrl],
  userIds = ['user_1'],
  maxRetryAfter?: number,
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

const tooShort = () => new Response(bytes.slice(0, 4_096), { headers: { etag: '"v1"', 'content-length': '20000' } });
const ranges = (requests: readonly Request[]) => requests.map(({ headers }) => headers.get('range'));
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(code === 204 || code === 304 ? null : 'x', { status: code, headers });

const part = (range: string, headers: Record<string, string> = {}, body: BodyInit = 'x'.repeat(15_000)) =>
  new Response(body, { status: 206, headers: { etag: '"v1"', 'content-range': range, ...headers } });

function bodyOfChunks(chunks: Uint8Array<ArrayBuffer>[]) {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function failureOf(open: Promise<{ body: ReadableStream<Uint8Array> }>): Promise<unknown> {
  return rejection(open.then(({ body }) => readAll(body)));
}

test('returns the whole object with the metadata of the storage', async () => {
  const { open, requests, readMediaUrl, timers } = createSource([whole]);
  const { body, ...about } = await open();
  expect(about).toEqual({ contentType: 'audio/wav', size: 20_000, etag: '"v1"', isEndKnown: true, start: 0 });
  expect(await readAll(body)).toEqual(Buffer.from(bytes));
  expect([requests.length, readMediaUrl.mock.calls.length, timers.size]).toEqual([1, 1, 0]);
});

test('requests unencoded bytes, without cookies, a referrer or a range', async () => {
  const { open, requests } = createSource([whole]);
  await readAll((await open()).body);
  const [request] = requests;
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
  const { open, requests, readMediaUrl, timers } = createSource(answers);
  expect(await readAll((await open()).body)).toEqual(Buffer.from(bytes));
  expect(ranges(requests)).toEqual(expected);
  for (const { headers } of requests) expect(headers.get('if-range')).toBe(headers.has('range') ? '"v1"' : null);
  expect([readMediaUrl.mock.calls.length, timers.size]).toEqual([1, 0]);
});

test.each([400, 401, 403, 404, 410])(
  'after a %i, reads the memory again and continues with its fresh URL',
  async (code) => {
    const { open, requests, pauses } = createSource(
      [{ ...whole, cutAfter: 5_000 }, status(code), whole],
      [signedUrl, 'https://new.example.com/a.wav?signature=2'],
    );
    expect(await readAll((await open()).body)).toEqual(Buffer.from(bytes));
    expect(requests.map(({ url }) => new URL(url).host)).toEqual([
      'storage.example.com',
      'storage.example.com',
      'new.example.com',
    ]);
    expect(ranges(requests)).toEqual([null, 'bytes=5000-', 'bytes=5000-']);
    expect(pauses).toEqual([75, 0]);
  },
);

test('reads the memory only once between two bytes', async () => {
  const refused = createSource([status(403)]);
  expect(await failureOf(refused.open())).toMatchObject({ reason: 'refused', status: 403, bytesReceived: 0 });
  expect(refused.readMediaUrl).toHaveBeenCalledTimes(2);

  const cut = { ...whole, cutAfter: 5_000 };
  const twice = createSource([cut, status(403), cut, status(403), whole]);
  expect(await readAll((await twice.open()).body)).toEqual(Buffer.from(bytes));
  expect(twice.readMediaUrl).toHaveBeenCalledTimes(3);
});

test('fails after five attempts in a row without a byte, and keeps the bytes so far', async () => {
  const { open, requests, pauses } = createSource([{ ...whole, cutAfter: 5_000 }, status(502)]);
  const error = await failureOf(open());
  expect(error).toMatchObject({ code: 'media_download', reason: 'interrupted', status: 502, bytesReceived: 5_000 });
  expect(requests).toHaveLength(6);
  expect(pauses).toEqual([75, 150, 300, 600, 1_200]);
});

test('a part that is shorter than requested does not count as a failure', async () => {
  const short = part('bytes 5000-9999/20000', {}, bytes.slice(5_000, 10_000));
  const { open, requests } = createSource([{ ...whole, cutAfter: 5_000 }, short, status(502)]);
  expect(await failureOf(open())).toMatchObject({ reason: 'interrupted', bytesReceived: 10_000 });
  expect(requests).toHaveLength(2 + 5);
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
  const { open } = createSource([...crumbs.flat(), whole]);
  expect(await readAll((await open()).body)).toEqual(Buffer.from(bytes));
});

test.each([301, 302, 307, 405, 412, 204, 304, 451])('a %i fails at once', async (code) => {
  const { open, requests } = createSource([status(code, { location: 'https://elsewhere.example.com/?s=URLSECRET' })]);
  const error = await failureOf(open());
  expect(error).toMatchObject({ reason: 'refused', status: code < 400 ? undefined : code });
  expect(String(error)).toContain(` answered ${code}. `);
  expect(requests).toHaveLength(1);
});

test.each(['0', '0.001'])('a Retry-After of %s s does not use up all attempts in an instant', async (seconds) => {
  const { open, pauses } = createSource([status(503, { 'retry-after': seconds })]);
  expect(await failureOf(open())).toMatchObject({ reason: 'interrupted', status: 503 });
  expect(pauses).toEqual([150, 300, 600, 1_200]);
});

test('obeys Retry-After of the API when it reads the memory again, up to maxRetryAfter', async () => {
  const tooMany = (seconds: number) =>
    new RateLimitError('Slow down.', { status: 429, detail: undefined, retryAfterMs: seconds * 1_000 });
  const patient = createSource(
    [{ ...whole, cutAfter: 5_000 }, status(403), whole],
    [signedUrl, tooMany(60), signedUrl],
  );
  expect(await readAll((await patient.open()).body)).toEqual(Buffer.from(bytes));
  expect(patient.pauses).toContain(67_500);
  const hours = createSource([{ ...whole, cutAfter: 5_000 }, status(403), whole], [signedUrl, tooMany(3_600)]);
  expect(await failureOf(hours.open())).toMatchObject({
    reason: 'interrupted',
    cause: { code: 'rate_limited' },
    message: expect.stringContaining(
      ': the API returned no fresh URL and requested a pause of 3600000 ms, which is longer than 120000 ms. ',
    ),
  });
  expect(hours.readMediaUrl).toHaveBeenCalledTimes(2);
});

test('never resumes with the object of another account', async () => {
  const { open, requests } = createSource(
    [{ ...whole, cutAfter: 5_000 }, status(403), whole],
    [signedUrl],
    ['user_1', 'user_2'],
  );
  expect(await failureOf(open())).toMatchObject({
    reason: 'changed',
    bytesReceived: 5_000,
    message: expect.stringContaining(': the API key now belongs to another account. '),
  });
  expect(requests).toHaveLength(2);
});

test('reads the memory in the asynchronous context of openMedia, even if other code reads the body', async () => {
  const caller = new AsyncLocalStorage<string>();
  const { open, readMediaUrl } = createSource([{ ...whole, cutAfter: 5_000 }, status(403), whole]);
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
  const { open } = createSource([{ ...whole, headers: { 'content-encoding': encoding } }]);
  expect(await readAll((await open()).body)).toHaveLength(20_000);
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
  const { open } = createSource([new Response(bytes, { headers })]);
  expect(await open()).toMatchObject({ isEndKnown: expected });
});

test('hides the long values of the URL where the storage repeats them, with or without their names', async () => {
  const signature = 'Zm9vYmFyLXNpZ25hdHVyZQ==';
  const url = `https://storage.example.com/a.wav?type=audio%2Fwav&s=${encodeURIComponent(signature)}`;
  const headers = { 'x-denied': signature, 'x-seen': encodeURIComponent(signature), 'x-type': 'audio/wav' };
  const { open } = createSource([status(451, headers)], [url]);
  const error = (await rejection(open())) as { responseHeaders?: object };
  expect(error.responseHeaders).toMatchObject({ 'x-denied': '[redacted]', 'x-type': 'audio/wav' });
  expect(JSON.stringify(error.responseHeaders)).not.toContain(signature.slice(0, 12));
});

test('obeys Retry-After of the storage up to maxRetryAfter, with jitter', async () => {
  const patient = createSource([status(503, { 'retry-after': '60' }), whole]);
  await readAll((await patient.open()).body);
  expect(patient.pauses).toEqual([67_500]);
  const days = createSource([status(503, { 'retry-after': '277403' }), whole]);
  expect(await failureOf(days.open())).toMatchObject({ reason: 'interrupted', status: 503 });
  const short = createSource([status(503, { 'retry-after': '60' }), whole]);
  expect(await failureOf(short.open({ maxRetryAfter: 59_999 }))).toMatchObject({ reason: 'interrupted', status: 503 });
  const ofClient = createSource([status(503, { 'retry-after': '60' }), whole], undefined, undefined, 59_999);
  expect(await failureOf(ofClient.open())).toMatchObject({ reason: 'interrupted', status: 503 });
});

test.each<[string, string, Answer, string]>([
  ['another object, whole', '"v1"', other, 'changed'],
  ['another object in a 206', '"v1"', part('bytes 5000-19999/20000', { etag: '"v2"' }), 'changed'],
  ['a 206 of another size', '"v1"', part('bytes 5000-20999/21000'), 'changed'],
  ['a 206 with a weak ETag', '"v1"', part('bytes 5000-19999/20000', { etag: 'W/"v1"' }), 'changed'],
  [
    'a 206 without an ETag',
    '"v1"',
    new Response('x', { status: 206, headers: { 'content-range': 'bytes 5000-19999/20000' } }),
    'changed',
  ],
  ['a 416', '"v1"', status(416, { 'content-range': 'bytes */4000' }), 'changed'],
  ['the same object, whole', '"v1"', status(200, { etag: '"v1"' }), 'not_resumable'],
  ['a 206 from another byte', '"v1"', part('bytes 5001-19999/20000'), 'invalid'],
  ['a 206 from an earlier byte', '"v1"', part('bytes 0-19999/20000'), 'invalid'],
  ['a 206 beyond the end', '"v1"', part('bytes 5000-20000/20000'), 'invalid'],
  ['a 206 backwards', '"v1"', part('bytes 5000-4999/20000', {}, ''), 'invalid'],
  ['a 206 without a range', '"v1"', new Response('x', { status: 206, headers: { etag: '"v1"' } }), 'invalid'],
  ['a 206 of several ranges', '"v1"', part('multipart'), 'invalid'],
  ['a compressed 206', '"v1"', part('bytes 5000-19999/20000', { 'content-encoding': 'gzip' }), 'invalid'],
  ['a cut of an object with a weak ETag', 'W/"v1"', whole, 'not_resumable'],
])(
  'after 5,000 bytes, %s ends the download, and none of its bytes are delivered',
  async (_title, etag, answer, reason) => {
    const { open } = createSource([{ ...whole, etag, cutAfter: 5_000 }, answer]);
    const { body } = await open();
    const received: Uint8Array[] = [];
    const error = await rejection(
      (async () => {
        for await (const chunk of body) received.push(chunk);
      })(),
    );
    expect(error).toMatchObject({ name: 'MediaDownloadError', reason, bytesReceived: 5_000 });
    expect(Buffer.concat(received)).toEqual(Buffer.from(bytes.subarray(0, 5_000)));
  },
);

test('without an ETag, a cut after the first byte fails and one before it does not', async () => {
  const nameless = { ...whole, etag: null };
  const late = createSource([{ ...nameless, cutAfter: 1 }, nameless]);
  expect(await failureOf(late.open())).toMatchObject({ reason: 'not_resumable', bytesReceived: 1 });
  const early = createSource([{ ...nameless, cutAfter: 0 }, nameless]);
  expect(await readAll((await early.open()).body)).toEqual(Buffer.from(bytes));
});

test('an object that changes after it was opened fails, even before its first byte', async () => {
  const { open } = createSource([{ ...whole, cutAfter: 0 }, other]);
  expect(await failureOf(open())).toMatchObject({ reason: 'changed', bytesReceived: 0 });
});

test.each<[string, Answer, string]>([
  ['that is encoded', status(200, { 'content-encoding': 'br' }), 'invalid'],
  ['that is a part nobody asked for', part('bytes 0-14999/15000'), 'invalid'],
  ['that is longer than it says', { ...whole, headers: { 'content-length': '19999' } }, 'invalid'],
  ['416 where the whole was asked for', status(416, { 'content-range': 'bytes */0' }), 'changed'],
])('rejects a response %s', async (_title, answer, reason) => {
  expect(await failureOf(createSource([answer]).open())).toMatchObject({ reason });
});

test('rejects a response that is shorter than its length', async () => {
  const short = { ...whole, headers: { 'content-length': '20001' } };
  expect(await failureOf(createSource([short]).open())).toMatchObject({ code: 'media_download' });
});

test('an object of unknown length ends with its body, and is resumed if it breaks', async () => {
  const chunked = (cutAfter?: number) => (request: Request) => {
    const answer = answerWith(request, { ...whole, cutAfter });
    answer.headers.delete('content-length');
    return answer;
  };
  const { body, size } = await createSource([chunked(5_000), chunked(5_000), whole]).open();
  expect(size).toBeNull();
  expect(await readAll(body)).toEqual(Buffer.from(bytes));
  expect(await readAll((await createSource([chunked()]).open()).body)).toEqual(Buffer.from(bytes));
});

test('joins parts that are shorter than requested, without a pause', async () => {
  const slices = (request: Request) => {
    const first = Number(/\d+/.exec(request.headers.get('range') ?? '0'));
    if (first === 0) return answerWith(request, { ...whole, cutAfter: 3_000 });
    const last = Math.min(first + 2_999, 19_999);
    return part(`bytes ${first}-${last}/20000`, {}, bytes.slice(first, last + 1));
  };
  const { open, pauses } = createSource([slices]);
  expect(await readAll((await open()).body)).toEqual(Buffer.from(bytes));
  expect(pauses).toHaveLength(1);
});

test('a failure after the last byte does not affect the download', async () => {
  for (const fault of [{ cutAfter: 20_000 }, { stallAfter: 20_000 }]) {
    const { open, requests } = createSource([{ ...whole, ...fault }]);
    expect(await readAll((await open()).body)).toEqual(Buffer.from(bytes));
    expect(requests).toHaveLength(1);
  }
});

test('keeps the length of the first response if a later one has none', async () => {
  for (const [length, failure] of [
    [20_001, 'invalid'],
    [19_999, 'interrupted'],
  ] as const) {
    const unknown = () => new Response(new Blob([createBytes(length)]).stream(), { headers: { etag: '"v1"' } });
    const gone = status(500);
    const { open } = createSource([{ ...whole, cutAfter: 0 }, unknown, gone]);
    expect(await failureOf(open())).toMatchObject({ reason: failure });
  }
});

test('a body with a marked end is never replaced by one whose truncation would not be noticed', async () => {
  const broken = () => new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
  const marked = () => new Response(broken(), { headers: { etag: '"v1"', 'transfer-encoding': 'chunked' } });
  const unmarked = () => new Response(new Blob([createBytes(5)]).stream(), { headers: { etag: '"v1"' } });
  const { open } = createSource([marked, unmarked]);
  expect(await failureOf(open())).toMatchObject({ reason: 'invalid', bytesReceived: 0 });
});

/** A response of a `fetch` that implements its own streams. */
const oddAnswer = (reader: object) =>
  ({
    status: 200,
    headers: new Headers({ etag: '"v1"' }),
    body: { getReader: () => reader },
  }) as unknown as Response;

test.each<[string, object]>([
  ['has no cancel', {}],
  ['cancels without a promise', { cancel: () => undefined }],
  [
    'throws where it is cancelled',
    {
      cancel() {
        throw new Error('raw KEYSECRET');
      },
    },
  ],
])('a reader that %s does not hide the error of the download', async (_title, odd) => {
  const { open } = createSource([() => oddAnswer({ ...odd, read: async () => ({ done: false, value: bytes }) })]);
  expect(await failureOf(open({ maxBytes: 5 }))).toMatchObject({ code: 'media_download', reason: 'too_large' });
});

test.each<[string, unknown]>([
  ['strings', 'TRANSCRIPT'],
  ['numbers', 7],
  ['objects', { text: 'TRANSCRIPT' }],
])('rejects a body of %s as a mistake of the fetch option, without repeating it', async (_type, value) => {
  const { open } = createSource([() => oddAnswer({ read: async () => ({ done: false, value }) })]);
  const error = await failureOf(open());
  expect(error).toMatchObject({ code: 'configuration', option: 'fetch' });
  expect((error as Error).message).toContain(`a body of type ${typeof value} instead of bytes`);
  expect(inspect(error, { depth: 10 })).not.toContain('TRANSCRIPT');
});

test('empty chunks do not count as progress', async () => {
  const empty = () => new Response(bodyOfChunks([new Uint8Array()]), { headers: { 'content-length': '5' } });
  const { open, requests } = createSource([empty]);
  expect(await failureOf(open())).toMatchObject({ reason: 'interrupted' });
  expect(requests).toHaveLength(5);
});

test('an empty object has an empty body', async () => {
  const { body, size } = await createSource([{ bytes: new Uint8Array() }]).open();
  expect([size, (await readAll(body)).length]).toEqual([0, 0]);
});

test('resumes a download from its start option', async () => {
  const { open, requests } = createSource([whole]);
  const { body, ...about } = await open({ start: { byte: 15_000, etag: '"v1"' } });
  expect(about).toMatchObject({ contentType: 'audio/wav', size: 20_000, etag: '"v1"', start: 15_000 });
  expect(await readAll(body)).toEqual(Buffer.from(bytes.subarray(15_000)));
  expect([ranges(requests), requests[0]?.headers.get('if-range')]).toEqual([['bytes=15000-'], '"v1"']);
});

test('a start at the end of the object has an empty body', async () => {
  const { open, timers } = createSource([whole]);
  const { body, size, etag, start } = await open({ start: { byte: 20_000, etag: '"v1"' } });
  expect([size, etag, start, (await readAll(body)).length]).toEqual([20_000, '"v1"', 20_000, 0]);
  expect(timers.size).toBe(0);
});

test.each<[string, Answer, string]>([
  ['another object', other, 'changed'],
  ['a storage that knows no ranges', () => new Response(bytes, { headers: { etag: '"v1"' } }), 'not_resumable'],
  ['a shorter object that the storage does not name', status(416, { 'content-range': 'bytes */14999' }), 'changed'],
])('a start that meets %s delivers nothing', async (_title, answer, reason) => {
  const error = await rejection(createSource([answer]).open({ start: { byte: 15_000, etag: '"v1"' } }));
  expect(error).toMatchObject({ reason, bytesReceived: 15_000 });
});

test('a start at byte 0 downloads the whole object', async () => {
  const { open, requests } = createSource([other]);
  expect((await open({ start: { byte: 0, etag: '"v1"' } })).etag).toBe('"v2"');
  expect(ranges(requests)).toEqual([null]);
});

test('maxBytes limits the size of the object, whether known in advance or not', async () => {
  expect((await createSource([whole]).open({ maxBytes: 20_000 })).size).toBe(20_000);
  expect(await rejection(createSource([whole]).open({ maxBytes: 19_999 }))).toMatchObject({ reason: 'too_large' });
  const unknown = () => new Response(bytes.slice());
  const { body } = await createSource([unknown]).open({ maxBytes: 19_999 });
  expect(await rejection(readAll(body))).toMatchObject({ reason: 'too_large' });
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
  expect(events).toEqual([
    { bytesReceived: 18_000, size: 20_000 },
    { bytesReceived: 20_000, size: 20_000 },
  ]);
});

test('reads nothing before it is requested, and a slow reader does not count as a stall', async () => {
  let pulls = 0;
  const counted = () =>
    new Response(
      new ReadableStream(
        {
          pull(controller) {
            pulls += 1;
            controller.enqueue(bytes.slice(0, 1_000));
            if (pulls === 5) controller.close();
          },
        },
        { highWaterMark: 0 },
      ),
      { headers: { 'content-length': '5000' } },
    );
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
  const timed = createSource([whole]);
  await readAll((await timed.open({ signal, totalTimeout: 1_000_000 })).body);
  expect([timed.timers.size, timed.uptime()]).toEqual([0, 0]);
  await failureOf(createSource([{ ...whole, cutAfter: 5_000 }, other]).open({ signal, totalTimeout: 1_000 }));
  await rejection(createSource([status(451)]).open({ signal, totalTimeout: 1_000 }));
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('cancels the body of a fetch that ignores its signal and responds after the timeout', async () => {
  const cancel = vi.fn();
  const respondLate = ({ signal }: Request) =>
    new Promise<Response>((resolve) => {
      signal.addEventListener('abort', () => setImmediate(resolve, new Response(new ReadableStream({ cancel }))));
    });
  const { open, requests } = createSource([respondLate, whole]);
  await readAll((await open({ headersTimeout: 5 })).body);
  expect(requests[0]?.signal.aborted).toBe(true);
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
});

const drip = Array.from({ length: 40 }, () => [
  { ...whole, cutAfter: 500 },
  status(503, { 'retry-after': '120' }),
  status(429, { 'retry-after': '120' }),
]).flat();

test('by default, nothing ends a download that makes progress', async () => {
  const { open, uptime } = createSource(drip);
  expect(await readAll((await open()).body)).toEqual(Buffer.from(bytes));
  expect(uptime()).toBeGreaterThan(2.5 * 3_600_000);
});

test('totalTimeout covers the opening and the body', async () => {
  const { open, uptime } = createSource(drip);
  const error = await failureOf(open({ totalTimeout: 1_000_000 }));
  expect(error).toMatchObject({ code: 'timeout', limit: 'total', timeoutMs: 1_000_000 });
  expect(uptime()).toBe(1_000_000);
  const opening = createSource([status(503, { 'retry-after': '100' })]);
  const late = await rejection(opening.open({ totalTimeout: 1_000 }));
  expect(late).toMatchObject({
    code: 'timeout',
    request: { attempts: 1, url: 'https://storage.example.com/a.wav' },
    responseHeaders: { 'retry-after': '100' },
    cause: { code: 'media_download', reason: 'interrupted', status: 503 },
  });
});

test('applies the timeouts of the options', async () => {
  const stalled = createSource([{ ...whole, stallAfter: 5_000 }, whole]);
  await readAll((await stalled.open({ stallTimeout: 7_000 })).body);
  expect(stalled.pauses[0]).toBe(7_000);
  const silent = createSource([() => new Promise(() => {}), whole]);
  await readAll((await silent.open({ headersTimeout: 8_000 })).body);
  expect(silent.pauses[0]).toBe(8_000);
  const byDefault = createSource([() => new Promise(() => {}), { ...whole, stallAfter: 5_000 }, whole]);
  await readAll((await byDefault.open()).body);
  expect(byDefault.pauses.filter((pause) => pause > 1_000)).toEqual([30_000, 30_000]);
});

test('a memory without the media rejects with MediaUnavailableError, even if it loses them during the download', async () => {
  const none = createSource([whole], [null]);
  expect(await rejection(none.open())).toMatchObject({
    name: 'MediaUnavailableError',
    memoryId: 'mem_1',
    kind: 'audio',
    requestId: 'req_1',
    message:
      'Failed to download the audio of memory "mem_1": the memory has no audio. Choose media whose URL is not null.',
  });
  expect(none.requests).toHaveLength(0);
  const lost = createSource([{ ...whole, cutAfter: 5_000 }, status(403)], [signedUrl, null]);
  expect(await failureOf(lost.open())).toMatchObject({ code: 'media_unavailable' });
});

const connectionError = new ConnectionError('Failed to get memory: the network is away. Wait.', {
  reason: 'unreachable',
});
const tooSlow = new RequestTimeoutError('Failed to get memory: it is late. Wait.', {
  limit: 'total',
  timeoutMs: 1,
});
const notFound = new MemoryNotFoundError('Failed to get memory: it is gone. Go.', {
  memoryId: 'm',
  status: 404,
});

test('rejects with the error of the first read of the memory', async () => {
  expect(await rejection(createSource([whole], [connectionError]).open())).toBe(connectionError);
});

test('tolerates failures of later reads, unless they are permanent', async () => {
  const cut = { ...whole, cutAfter: 5_000 };
  const failures = [connectionError, tooSlow];
  const { open } = createSource([cut, status(403), whole], [signedUrl, ...failures, signedUrl]);
  expect(await readAll((await open()).body)).toEqual(Buffer.from(bytes));
  const gone = createSource([cut, status(403), whole], [signedUrl, notFound]);
  expect(await failureOf(gone.open())).toBe(notFound);
  const away = createSource([cut, status(403), whole], [signedUrl, connectionError]);
  expect(await failureOf(away.open())).toMatchObject({ reason: 'interrupted', cause: connectionError });
});

test.each(['', 'a.wav', '/a.wav', 'ftp://x/a.wav', 'data:,x', 'https://', 'https://u:p@x.example.com/a.wav'])(
  'the URL %j fails at once',
  async (url) => {
    const { open, requests } = createSource([whole], [url]);
    expect(await rejection(open())).toMatchObject({ reason: 'invalid' });
    expect(requests).toHaveLength(0);
  },
);

test('fails at once if the certificate of the storage is rejected', async () => {
  const cause = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  const { open, requests } = createSource([new TypeError('fetch failed', { cause })]);
  expect(await rejection(open())).toMatchObject({
    reason: 'refused',
    faultCode: cause.code,
    cause: { cause: { code: cause.code } },
  });
  expect(requests).toHaveLength(1);
});

test('errors name the storage without the query of the URL, and contain no key', async () => {
  const fault = new TypeError(`Failed to parse ${signedUrl} with KEYSECRET`);
  for (const answer of [
    fault,
    status(451, { location: signedUrl }),
    { ...whole, headers: { 'content-encoding': 'x' } },
  ]) {
    const error = await rejection(createSource([answer]).open());
    expect(error).toMatchObject({ request: { method: 'GET', url: 'https://storage.example.com/a.wav' } });
    expect(inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error)).not.toContain('SECRET');
  }
});

test('an error says what failed, why and what to do', async () => {
  const message =
    'Failed to download the audio of memory "mem_1": the storage answered 451. Check that the storage accepts the URLs of the API, and its certificate.';
  expect(await rejection(createSource([status(451)]).open())).toMatchObject({ message });
});

test.each<[string, OpenMediaOptions]>([
  ['headersTimeout', { headersTimeout: 0 }],
  ['stallTimeout', { stallTimeout: Number.NaN }],
  ['totalTimeout', { totalTimeout: -1 }],
  ['maxBytes', { maxBytes: 0.5 }],
  ['start.byte', { start: { byte: -1, etag: '"v1"' } }],
  ['start.etag', { start: { byte: 5, etag: 'W/"v1"' } }],
  ['start.etag', { start: { byte: 5, etag: 'v1' } }],
  ['onProgress', { onProgress: 'x' as never }],
  ['signal', { signal: {} as never }],
])('rejects the option %s before any request', async (name, options) => {
  const { open, readMediaUrl } = createSource([whole]);
  const error = await rejection(open(options));
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(`: ${name} is `) });
  expect(readMediaUrl).not.toHaveBeenCalled();
});

test.each<[string, object]>([
  ['stallTimeout', { stalltimeout: 1 }],
  ['maxBytes', { maxbytes: 1 }],
  ['signal', { Signal: AbortSignal.abort() }],
])('rejects the option %s in another letter case before any request', async (name, options) => {
  const { open, readMediaUrl } = createSource([whole]);
  const message = expect.stringMatching(`is not supported. Use one of: ${name}, `);
  expect(await rejection(open(options))).toMatchObject({ code: 'configuration', message });
  expect(readMediaUrl).not.toHaveBeenCalled();
});

test.each([
  [[signedUrl.replace('storage', 'forbidden')], 0, 0],
  [[signedUrl, signedUrl.replace('storage', 'forbidden')], 2, 4_096],
])('sends no request to a forbidden origin, also after a renewal of the URL: %#', async (readings, sent, received) => {
  const { open, requests } = createSource([tooShort(), status(403), whole], readings);
  const error = await failureOf(open());
  expect(error).toMatchObject({
    reason: 'forbidden_origin',
    bytesReceived: received,
    message:
      'Failed to download the audio of memory "mem_1": media from https://forbidden.example.com is not allowed. ' +
      'Check the API, or add the origin to mediaOrigins.',
  });
  expect(inspect(error)).not.toContain('URLSECRET');
  expect(JSON.stringify(error)).not.toContain('URLSECRET');
  expect(requests.map(({ url }) => url)).toEqual(Array(sent).fill(signedUrl));
});
