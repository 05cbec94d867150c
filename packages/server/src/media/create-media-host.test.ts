import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { MediaObject } from '../ports/media-source.ts';
import { createFakeClock } from '../testing/create-fake-clock.ts';
import { createHmacMediaSigner } from './create-hmac-media-signer.ts';
import { createMediaHost, type MediaHostOptions } from './create-media-host.ts';

const secrets = [{ id: 'main', secret: 'a secret of at least 16 bytes' }];
const etag = '"v1"';
const tenBytes = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

function objectOf(bytes: Uint8Array): MediaObject {
  return {
    size: bytes.length,
    etag,
    stream: (range) => new Blob([bytes.slice(range?.start, range && range.end + 1)]).stream(),
  };
}

function setUp(options: Partial<MediaHostOptions> & { object?: MediaObject } = {}) {
  const { object = objectOf(tenBytes), ...hostOptions } = options;
  const { basePath = '' } = hostOptions;
  const clock = createFakeClock('2026-11-20T12:00:00.250Z');
  const stream = vi.spyOn(object, 'stream');
  const host = createMediaHost({ source: { open: async () => object }, secrets, clock, ...hostOptions });
  const signer = createHmacMediaSigner({ baseUrl: `https://media.example.com${basePath}`, secrets });
  const expiresAt = new Date('2026-11-20T13:00:00Z');
  const url = signer.sign({ objectKey: 'a.webm', contentType: 'audio/webm; codecs=opus', expiresAt });
  const ask = (headers: Record<string, string> = {}, method = 'GET', to = url) =>
    host.fetch(new Request(to, { method, headers: { 'x-request-id': 'req_1', ...headers } }));
  return { ask, url, stream, host };
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const everyAnswer = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'req_1',
};
const everyProblem = { ...everyAnswer, 'cache-control': 'private, no-store', 'content-type': 'application/json' };

test('any range of any bytes is the slice that it names', async () => {
  const position = fc.option(fc.nat(80), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), position, position, async (bytes, first, last) => {
      const { ask } = setUp({ object: objectOf(bytes) });
      const response = await ask({ range: `bytes=${first ?? ''}-${last ?? ''}` });
      const expected = expectedAnswer(bytes, first, last);
      expect(response.status).toBe(expected.status);
      if (expected.status === 416) return;
      expect(await bytesOf(response)).toEqual(expected.body);
      expect(response.headers.get('content-length')).toBe(String(expected.body.length));
    }),
    { numRuns: 200 },
  );
});

function expectedAnswer(bytes: Uint8Array, first: number | undefined, last: number | undefined) {
  const whole = { status: 200, body: bytes };
  if (first === undefined && last === undefined) return whole;
  if (first !== undefined && last !== undefined && last < first) return whole;
  if (first === undefined && last !== 0 && bytes.length === 0) return whole;
  const part = first === undefined ? bytes.slice(-(last ?? 0) || bytes.length) : bytes.slice(first, (last ?? 80) + 1);
  return { status: part.length > 0 ? 206 : 416, body: part };
}

// The parity suite has every condition and every range once. These are their other spellings.
test.each<[name: string, statuses: Record<number, readonly string[]>]>([
  ['if-range', { 206: [etag], 200: [''] }],
  [
    'if-match',
    {
      206: [`"v0", ${etag}`, `"a,b",,${etag} ,`, ' * '],
      412: ['"v0", "v2"', 'v1', '', `x${etag}`, `"a,${etag}`, '"*"'],
    },
  ],
  [
    'if-none-match',
    {
      304: [`"a,b",W/"x" , W/${etag}`],
      206: ['"v0", W/"v2"', 'v1', '', '"v1', '"*"', `x${etag}`, `${etag}x`, `w/${etag}`, `"a" ${etag}`],
    },
  ],
])('the values of %s get %j', async (name, statuses) => {
  const { ask } = setUp();
  for (const [status, values] of Object.entries(statuses))
    for (const value of values)
      expect((await ask({ [name]: value, range: 'bytes=2-5' })).status, value).toBe(Number(status));
});

test('If-Match comes before all other conditions and ranges, and neither it nor HEAD reads the object', async () => {
  const { ask, stream } = setUp();
  for (const others of [{}, { range: 'bytes=99-' }, { 'if-none-match': etag }]) {
    const response = await ask({ 'if-match': '"v0"', ...others });
    expect([response.status, await response.json()]).toEqual([412, { detail: 'Precondition Failed' }]);
  }
  expect((await ask({}, 'HEAD')).status).toBe(200);
  expect(stream).not.toHaveBeenCalled();
});

test.each([
  ...['', 'bytes', 'bytes=-', 'bytes=0-1,', 'bytes= 0-1', 'bytes=0 - 1', 'bytes=0x1-', 'bytes=-1-2', 'bytes=1.5-'],
  ...['bytes=+1-', 'xbytes=0-1'],
])('%j is not a range and requests the whole object', async (range) => {
  expect((await setUp().ask({ range })).status).toBe(200);
});

test('only paths below the base path are media', async () => {
  const { ask, url } = setUp({ basePath: '/media' });
  expect((await ask()).status).toBe(200);
  for (const path of ['', '/', '/media', '/media/', '/mediax/a.webm', '/a.webm']) {
    const response = await ask({}, 'GET', url.replace('/media/a.webm', path));
    expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
  }
});

test('an object that is not in the source is a 404, also with If-Match, and to HEAD without a body', async () => {
  const { ask } = setUp({ source: { open: async () => undefined } });
  for (const headers of [{}, { 'if-match': '*' }, { 'if-match': etag }]) {
    const response = await ask(headers);
    expect([response.status, await response.json()]).toEqual([404, { detail: 'Media not found' }]);
  }
  const head = await ask({}, 'HEAD');
  expect([head.status, head.body]).toEqual([404, null]);
});

test('an error of the source is reported, and becomes a 500 that does not reveal it', async () => {
  const failure = new Error('disk /dev/hidden is gone');
  const onError = vi.fn(() => {
    throw new Error('and so is the reporter');
  });
  const broken: MediaObject = {
    size: 1,
    etag,
    stream: () => {
      throw failure;
    },
  };
  const unreadable: MediaObject = { ...broken, stream: () => failingStream(0, failure) };
  const sources = [
    { open: () => Promise.reject(failure) },
    { open: async () => broken },
    { open: async () => unreadable },
  ];
  for (const source of sources) {
    const response = await setUp({ source, onError }).ask();
    expect(response.status).toBe(500);
    expect(Object.fromEntries(response.headers)).toEqual(everyProblem);
    expect(await response.json()).toEqual({ detail: 'Internal server error' });
  }
  expect(onError.mock.calls).toEqual(sources.map(() => [failure, { requestId: 'req_1' }]));
});

function failingStream(chunks: number, failure: Error): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === chunks) throw failure;
        sent += 1;
        controller.enqueue(Uint8Array.of(sent));
      },
    },
    { highWaterMark: 0 },
  );
}

test('a body that fails after its first chunk fails there, and is reported once', async () => {
  const failure = new Error('the disk is gone');
  for (const chunks of [1, 2]) {
    const onError = vi.fn(() => Promise.reject(new Error('and so is the reporter')));
    const object = { size: 10, etag, stream: () => failingStream(chunks, failure) };
    const response = await setUp({ object, onError }).ask();
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '10']);
    const reader = response.body?.getReader() ?? expect.unreachable();
    for (let read = 0; read < chunks; read += 1) expect((await reader.read()).value).toEqual(Uint8Array.of(read + 1));
    await expect(reader.read()).rejects.toBe(failure);
    await expect(reader.read()).rejects.toBe(failure);
    expect(onError.mock.calls).toEqual([[failure, { requestId: 'req_1' }]]);
  }
});

test('a client that disconnects is not a failure, even during a read', async () => {
  const onError = vi.fn();
  const gate = Promise.withResolvers<void>();
  const stream = () => {
    const chunks = failingStream(1, new Error('read too far')).getReader();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { value } = await chunks.read();
          controller.enqueue(value ?? expect.unreachable());
        },
        cancel: () => gate.resolve(),
      },
      { highWaterMark: 0 },
    );
  };
  const reader = (await setUp({ object: { size: 10, etag, stream }, onError }).ask()).body?.getReader();
  await reader?.read();
  const amid = reader?.read();
  await reader?.cancel();
  await gate.promise;
  expect(await amid).toEqual({ done: true, value: undefined });
  await new Promise(setImmediate);
  expect(onError).not.toHaveBeenCalled();
});

test.each([
  ['fewer bytes', 9],
  ['more bytes', 11],
])('a source that sends %s than its size breaks off the body and is reported', async (_, sent) => {
  for (const chunk of [sent, 1]) {
    const onError = vi.fn();
    const stream = () => {
      let left = sent;
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (left > 0) controller.enqueue(new Uint8Array(Math.min(chunk, left)));
          else controller.close();
          left -= chunk;
        },
      });
    };
    const { ask } = setUp({ object: { size: 10, etag, stream }, onError });
    const read = async () => {
      const response = await ask();
      if (response.status === 200) await response.arrayBuffer();
      return response.status;
    };
    expect(await read().catch(() => 500)).toBe(sent > 10 && chunk === 1 ? 200 : 500);
    if (sent < 10 || chunk > 1) expect(onError).toHaveBeenCalledOnce();
  }
});

test.each(['"a\n"', '"ü€"'])('a tag of %j is a 500, and its source is cancelled', async (invalid) => {
  const onError = vi.fn();
  const cancel = vi.fn();
  const stream = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)), cancel });
  const response = await setUp({ object: { size: 10, etag: invalid, stream }, onError }).ask();
  expect([response.status, Object.fromEntries(response.headers)]).toEqual([500, everyProblem]);
  expect(onError).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
});

test('an abort before the first chunk cancels the source', async () => {
  const abort = new AbortController();
  const cancel = vi.fn();
  const onError = vi.fn();
  const asked = Promise.withResolvers<void>();
  const silent = () => new ReadableStream<Uint8Array>({ pull: () => asked.resolve(), cancel }, { highWaterMark: 0 });
  const { host, url } = setUp({ object: { size: 10, etag, stream: silent }, onError });
  const answer = host.fetch(new Request(url, { signal: abort.signal }));
  // The source never sends a chunk, so without the signal the test would hang.
  await asked.promise;
  abort.abort('gone');
  await answer;
  expect(cancel).toHaveBeenCalledExactlyOnceWith('gone');
  expect(onError).not.toHaveBeenCalled();
});

test('a request without an id gets one, from createRequestId if it is passed', async () => {
  const idOf = async (host: ReturnType<typeof setUp>, sent: string) =>
    (await host.ask({ 'x-request-id': sent })).headers.get('x-request-id');
  expect(await idOf(setUp(), 'not sane')).toMatch(/^req_[0-9a-z]+$/);
  const own = setUp({ createRequestId: ({ method }) => `own-${method}` });
  expect([await idOf(own, 'not sane'), await idOf(own, 'trace-1')]).toEqual(['own-GET', 'trace-1']);
});

test('rejects a base path that is not plain', () => {
  expect(() => setUp({ basePath: '/media/' })).toThrow('Failed to mount at "/media/": it is not a plain path.');
});

test('onRefuse gets the reason and the request of each refused URL, and cannot change a response', async () => {
  const events: unknown[] = [];
  const clock = createFakeClock('2026-11-20T12:00:00Z');
  const { ask, url } = setUp({
    clock,
    onRefuse: ({ requestId, reason }, request) => {
      events.push([requestId, reason, request instanceof Request]);
      throw new Error('observer down');
    },
  });
  const other = createHmacMediaSigner({
    baseUrl: 'https://media.example.com',
    secrets: [{ id: 'old', secret: 'another secret of 16 bytes' }],
  });
  const expiresAt = new Date('2026-11-20T13:00:00Z');
  const retired = other.sign({ objectKey: 'a.webm', contentType: 'audio/webm', expiresAt });
  expect((await ask()).status).toBe(200);
  for (const refused of [url.replace('a.webm', 'b.webm'), retired, 'https://media.example.com/a.webm']) {
    expect((await ask({}, 'GET', refused)).status).toBe(403);
  }
  clock.advance(3_600_000);
  expect((await ask()).status).toBe(403);
  expect(events).toEqual(['invalid', 'unknown', 'invalid', 'expired'].map((reason) => ['req_1', reason, true]));
});
