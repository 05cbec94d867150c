import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MockServer } from '../mock-server.ts';
import { startMockServer } from '../start-mock-server.ts';
import type { ServerFault, ServerFaultMatch } from './wire-fault.ts';

const now = '2026-01-01T12:00:00.250Z';
const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index % 251);
const other = bytes.slice(0, 999).map((byte) => byte ^ 0xff);
const media: ServerFaultMatch = { operation: 'media' };
const id = 'mem_talk';

let server: MockServer;
beforeAll(async () => {
  server = await startMockServer({ now, memories: [], basePath: '/api' });
});
afterAll(() => server.close());
afterEach(() => server.reset());

const get = (path = '/v1/memories', init: RequestInit = {}) =>
  fetch(server.baseUrl + path, {
    redirect: 'manual',
    ...init,
    headers: { 'x-api-key': server.apiKey, ...init.headers },
  });

/** Adds a memory, and returns its recording. */
async function addRecording(): Promise<string> {
  server.memories.add({ id, name: 'Talk', media: { audio: { bytes, content_type: 'audio/wav' } } });
  const { audio_url } = (await (await get(`/v1/memories/${id}`)).json()) as { audio_url: string };
  return audio_url;
}

test.each<[ServerFault, status: number, headers: Record<string, string | null>, body: string]>([
  [{ redirect: 302 }, 302, { location: '{elsewhere}/api/v1/memories' }, ''],
  [{ redirect: 307, to: 'self' }, 307, { location: '/api/v1/memories' }, ''],
  [{ redirect: 301, to: 'https://example.com/x?y' }, 301, { location: 'https://example.com/x?y' }, ''],
  [{ respond: {} }, 200, { 'content-type': null, 'content-length': '0' }, ''],
  [{ respond: { status: 204 } }, 204, { 'content-type': null }, ''],
  [
    { respond: { status: 403, headers: { 'Content-Type': 'text/html', 'x-own': 'a' }, body: '<p>ł' } },
    403,
    { 'content-type': 'text/html', 'x-own': 'a', 'content-length': '5' },
    '<p>ł',
  ],
  [{ fields: { name: 5 } }, 200, { 'content-type': 'application/json' }, '"name":5'],
  [{ status: 503, style: 'xml' }, 503, { 'content-type': 'application/xml' }, '<Code>SlowDown</Code>'],
  [
    { status: 429, retryAfter: 2_000, retryAfterStyle: 'date' },
    429,
    { 'retry-after': 'Thu, 01 Jan 2026 12:00:03 GMT' },
    '{"detail":',
  ],
  [{ status: 503, headers: { date: 'yesterday' } }, 503, { date: 'yesterday' }, '{"detail":'],
  [{ respond: { headers: { date: 'yesterday' } } }, 200, { date: 'yesterday' }, ''],
  ['truncated-json', 200, {}, '[{"id"'],
  ['wrong-content-type', 200, { 'content-type': 'text/html; charset=utf-8' }, '[{"id"'],
  ['contract-violation', 200, {}, '"duration_seconds":"five minutes"'],
  [{ delay: 5 }, 200, {}, '[{"id"'],
  [{ bytesPerSecond: 1_000_000 }, 200, {}, '[{"id"'],
  [{ steps: ['HTTP/1.1 299 Own\r\nfrom: {origin}\r\ncontent-length: 2\r\n\r\nok'] }, 299, { from: '{origin}' }, 'ok'],
])('%j is sent once, as it is', async (fault, status, headers, body) => {
  server.memories.add({ id });
  const fill = (text: string) => text.replace('{origin}', server.baseUrl).replace('{elsewhere}', server.elsewhereUrl);
  server.faults.next(fault);
  const response = await get();
  const seen = Object.fromEntries(Object.keys(headers).map((name) => [name, response.headers.get(name)]));
  const expected = Object.entries(headers).map(([name, value]) => [name, value && fill(value)]);
  expect([response.status, seen]).toEqual([status, Object.fromEntries(expected)]);
  expect(await response.text()).toContain(fill(body));
  expect((await get()).status).toBe(200);
  expect(server.requests[0]).toMatchObject({ fault: expect.anything(), status, ended: 'sent' });
});

test.each<[ServerFault, failsAt: 'fetch' | 'body' | 'never', status: number | null, ended?: string]>([
  ['network-error', 'fetch', null],
  ['garbage', 'fetch', null],
  ['cut', 'body', 200],
  [{ stop: 'before-head', by: 'end' }, 'fetch', null],
  [{ stop: 'in-head', by: 'reset' }, 'fetch', null],
  [{ stop: { bytes: 5 }, by: 'end' }, 'body', 200],
  [{ stop: { share: 0.5 }, by: 'end', framing: 'chunked' }, 'body', 200],
  // The client takes these for complete. `fetch` of Node ignores a reset after `connection: close`.
  [{ stop: { share: 0.5 }, by: 'reset', framing: 'close' }, 'never', 200],
  [{ stop: { share: 0.5 }, by: 'end', framing: 'close' }, 'never', 200],
  [{ stop: { share: 0.5 }, by: 'end', framing: 'exact' }, 'never', 200],
  [{ steps: ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[]', 'reset'] }, 'body', 200],
  ['stall', 'fetch', null, 'aborted'],
  [{ stop: 'after-head', by: 'stall' }, 'body', 200, 'aborted'],
  [{ steps: ['HTTP/1.1 200 OK\r\n\r\n', { drip: ' ', every: 5 }] }, 'body', 200, 'aborted'],
])('with %j, the client fails at: %s', async (fault, failsAt, status, ended = 'fault') => {
  server.memories.add({ id });
  server.faults.next(fault);
  const leaving = new AbortController();
  const logged = server.nextRequest();
  const call = get('/v1/memories', { signal: leaving.signal });
  const read = call.then((response) => response.text());
  read.catch(() => {});
  if (ended === 'aborted') {
    if (failsAt === 'body') await call;
    else expect((await logged).ended).toBeNull();
    leaving.abort();
  }
  if (failsAt === 'fetch') await expect(call).rejects.toThrow();
  else expect((await call).status).toBe(200);
  if (failsAt !== 'never') await expect(read).rejects.toThrow();
  else expect((await read).length).toBeGreaterThan(10);
  await expect.poll(() => server.requests[0]).toMatchObject({ fault, status, ended });
  expect((await get()).status).toBe(200);
});

test.each<
  [ServerFault, headers: Record<string, string>, status: number, part: Uint8Array, contentRange: string | null]
>([
  ['no-ranges', {}, 200, bytes, null],
  ['no-ranges', { range: 'bytes=500-', 'if-range': 'RIGHT' }, 200, bytes, null],
  ['changed-object', {}, 200, other, null],
  ['changed-object', { range: 'bytes=500-' }, 206, other.slice(500), 'bytes 500-998/999'],
  ['changed-object', { range: 'bytes=500-', 'if-range': 'RIGHT' }, 200, other, null],
  ['changed-object', { range: 'bytes=500-', 'if-range': 'CHANGED' }, 206, other.slice(500), 'bytes 500-998/999'],
  ['foreign-range', {}, 200, other, null],
  ['foreign-range', { range: 'bytes=500-509' }, 206, other.slice(500, 510), 'bytes 500-509/999'],
  ['foreign-range', { range: 'bytes=500-', 'if-range': 'RIGHT' }, 206, other.slice(500), 'bytes 500-998/999'],
  ['wrong-range', {}, 200, bytes, null],
  ['wrong-range', { range: 'bytes=500-' }, 206, bytes.slice(499), 'bytes 499-999/1000'],
  ['wrong-range', { range: 'bytes=500-599', 'if-range': 'RIGHT' }, 206, bytes.slice(499, 600), 'bytes 499-599/1000'],
  ['wrong-range', { range: 'bytes=0-0' }, 206, bytes.slice(1, 2), 'bytes 1-1/1000'],
  ['wrong-range', { range: 'bytes=-10' }, 206, bytes.slice(989), 'bytes 989-999/1000'],
  ['wrong-range', { range: 'bytes=500-', 'if-range': 'CHANGED' }, 200, bytes, null],
  [{ status: 403, style: 'xml' }, { range: 'bytes=500-' }, 403, new Uint8Array(), null],
])('the storage plays %j for %j', async (fault, headers, status, part, contentRange) => {
  const url = await addRecording();
  const right = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? '';
  const changed = right.replace(/"$/, '-changed"');
  const tags: Record<string, string> = { RIGHT: right, CHANGED: changed };
  server.faults.next(fault, { match: { ...media, kind: 'audio', memoryId: id } });
  const sent = Object.entries(headers).map(([name, value]) => [name, tags[value] ?? value]);
  const response = await fetch(url, { headers: Object.fromEntries(sent) });
  const received = new Uint8Array(await response.arrayBuffer());
  expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange]);
  if (status >= 400) return;
  expect(received).toEqual(part);
  expect(response.headers.get('content-length')).toBe(String(part.length));
  expect(response.headers.get('accept-ranges')).toBe(fault === 'no-ranges' ? null : 'bytes');
  expect(response.headers.get('etag')).toBe(part.at(-1) === other.at(-1) || part[0] === other[500] ? changed : right);
});

test.each<ServerFault>(['cut', { stop: { share: 0.5 }, by: 'reset' }])(
  'a client that resumes gains with each attempt at %j, because a share is one of this response',
  async (fault) => {
    const url = await addRecording();
    server.faults.always(fault, { match: media });
    const lengths: number[] = [];
    let start = 0;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await fetch(url, { headers: { range: `bytes=${start}-` } });
      const reader = response.body?.getReader();
      let length = 0;
      const read = async () => {
        for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) length += chunk.value.length;
      };
      await expect(read()).rejects.toThrow();
      lengths.push(length);
      start += length;
    }
    expect(lengths).toEqual([500, 250, 125]);
  },
);
