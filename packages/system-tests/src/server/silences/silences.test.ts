import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../repository.ts';
import { type RawAnswer, rawAnswer } from './raw-answer.ts';
import { oddId, type ReferenceServer, startReferenceServer } from './reference-server.ts';

let server: ReferenceServer;

beforeAll(async () => {
  server = await startReferenceServer();
  return () => server.close();
});

/** Headers of a request in which KEY stands for a key that is accepted. */
type Headers = readonly string[];
const bearer = ['Authorization: Bearer KEY'];

interface Row {
  /** The page of docs/decisions that says so. */
  page: string;
  what: string;
  start: string;
  headers?: Headers;
  status: number;
  /** Equal where it is a text. */
  body?: string | RegExp;
  head?: RegExp;
}

const list = 'GET /v1/memories HTTP/1.1';
const get = (path: string) => `GET /v1/memories/${path} HTTP/1.1`;
const [missing, invalid] = ['{"detail":"Missing API key"}', '{"detail":"Invalid API key"}'];
const notFound = '{"detail":"Not Found"}';
const noMemory = '{"detail":"Memory not found"}';
const notAllowed = '{"detail":"Method Not Allowed"}';
const anyDetail = /^\{"detail":"[^"]+"\}$/;

const rows: Row[] = [
  ...[oddId, '😀'.repeat(256)].map((id) => ({
    ...{ page: 'ids-and-paths', what: 'any text is an id, up to 256 code points', start: get(encodeURIComponent(id)) },
    ...{ headers: bearer, status: 200, body: new RegExp(`^\\{"id":${JSON.stringify(id).replace(/[?]/g, '\\?')},`) },
  })),
  ...['%zz', '%', '%ff', '%c0%af', '%ed%a0%80', '%00', '%0A', '%7f', '%c2%80', 'x'.repeat(257)].map((id) => ({
    ...{ page: 'ids-and-paths', what: `${id.slice(0, 9)} is a malformed path`, start: get(id) },
    ...{ headers: bearer, status: 422, body: anyDetail },
  })),
  ...[
    ['escapes are decoded once', '%256d', noMemory],
    ['dot segments are resolved before', '%2e%2e/nothing', notFound],
  ].map(([what = '', id = '', body = '']) => ({
    ...{ page: 'ids-and-paths', what, start: get(id), headers: bearer, status: 404, body },
  })),

  ...(
    [
      ['two different keys', ['Authorization: Bearer KEY', 'X-API-Key: other'], 401, invalid],
      ['the same key twice over both headers', ['Authorization: Bearer KEY', 'X-API-Key: KEY'], 200],
      ['another scheme beside a key', ['Authorization: Basic YTpi', 'X-API-Key: KEY'], 200],
      ['an empty Bearer beside a key', ['Authorization: Bearer ', 'X-API-Key: KEY'], 200],
      ['another scheme alone', ['Authorization: Basic YTpi'], 401, missing],
      ['a repeated X-API-Key', ['X-API-Key: KEY', 'X-API-Key: KEY'], 401, invalid],
      ['a repeated Authorization', [...bearer, ...bearer], 401, invalid],
      ['an empty X-API-Key', ['X-API-Key: '], 401, missing],
      ['a bare Bearer', ['Authorization: Bearer'], 401, missing],
      ['a scheme in other letters', ['authorization: bEARER KEY'], 200],
      ['no key', [], 401, missing],
    ] as [string, Headers, number, string?][]
  ).map(([what, headers, status, body = /^\[/]) => ({ page: 'api-keys', what, start: list, headers, status, body })),

  ...(
    [
      ['an unknown route comes before the method', 'POST /v2/memories HTTP/1.1', [], 404, notFound],
      ['the method comes before the key', 'POST /v1/memories HTTP/1.1', [], 405, notAllowed],
      ['the key comes before the path', get('%zz'), [], 401, missing],
      ['the path comes before the memory', get('%zz'), bearer, 422, anyDetail],
      ['the memory comes last', get('none'), bearer, 404, noMemory],
    ] as [string, string, Headers, number, string | RegExp][]
  ).map(([what, start, headers, status, body]) => ({ page: 'order-of-checks', what, start, headers, status, body })),

  ...(
    [
      ['HEAD has no body', 'HEAD /v1/memories HTTP/1.1', bearer, 200, ''],
      ['OPTIONS is no method of it', 'OPTIONS /v1/memories HTTP/1.1', ['Origin: https://a.test'], 405, notAllowed],
      ['a query is ignored', 'GET /v1/memories?limit=1&x=%zz HTTP/1.1', bearer, 200, /"id":"mem_1".*"id":"😀"/],
      ['a slash at the end is another path', get(''), bearer, 404, notFound],
      ['a doubled slash is another path', 'GET //v1/memories HTTP/1.1', bearer, 404, notFound],
      ['a slash behind an id is another path', get('mem_1/'), bearer, 404, notFound],
    ] as [string, string, Headers, number, string | RegExp][]
  ).map(([what, start, headers, status, body]) => ({
    ...{ page: 'requests-that-only-look', what, start, headers, status, body },
    head: /^(?![\s\S]*(access-control-|location:))/i,
  })),

  ...(
    [
      ['a request that is none', 'NONSENSE', [], 400],
      ['two hosts', list, ['Host: b'], 400],
      ['an expectation', list, ['Expect: miracles'], 417],
      ['too large headers', list, [`A: ${'x'.repeat(17_000)}`], 431],
    ] as [string, string, Headers, number][]
  ).map(([what, start, headers, status]) => ({
    ...{ page: 'errors-beyond-the-specification', what, start, headers, status, body: anyDetail },
  })),

  ...(
    [
      ['a sane request id comes back', list, [...bearer, 'X-Request-Id: trace-1'], 200, /\nx-request-id: trace-1\r/i],
      ['a strange one is replaced', list, [...bearer, 'X-Request-Id: a b'], 200, /\nx-request-id: req_\w+\r/i],
      ['a 401 asks for a Bearer', list, [], 401, /\nwww-authenticate: Bearer\r/i],
      ['a 405 names the methods', 'PUT /v1/memories HTTP/1.1', [], 405, /\nallow: GET, HEAD\r/i],
      ['nothing may keep a response', get('mem_1'), bearer, 200, /\ncache-control: private, no-store\r/i],
      ['nothing may keep an error', get('none'), bearer, 404, /\ncache-control: private, no-store\r/i],
    ] as [string, string, Headers, number, RegExp][]
  ).map(([what, start, headers, status, head]) => ({
    ...{ page: 'response-headers-and-caching', what, start, headers, status, head },
  })),

  {
    ...{
      page: 'stored-text-and-dates',
      what: 'date-times are in UTC with milliseconds, segments too',
      start: get('mem_1'),
    },
    ...{ headers: bearer, status: 200 },
    body: /"started_at":"2026-03-01T08:00:00\.123Z".*"start_at":"2026-03-01T08:00:01\.000Z"/,
  },
  {
    ...{
      page: 'stored-text-and-dates',
      what: 'a transcript comes back as it was, whatever is in it',
      start: get('mem_1'),
    },
    ...{ headers: bearer, status: 200, body: /"speaker":"Stimme \\u0000\\ud800"/ },
  },
  {
    ...{ page: 'processed-without-transcript', what: 'a silent recording has neither transcript nor summary' },
    ...{ start: get(encodeURIComponent('😀')), headers: bearer, status: 200 },
    body: /"is_processing":false.*"transcript":null,"summary":null/,
  },
  {
    ...{
      page: 'ordering',
      what: 'instants, then ids by their bytes, descending',
      start: list,
      headers: bearer,
      status: 200,
    },
    body: /"id":"mem_1".*"id":"😀".*"id":"\ufffd"/,
  },
  {
    ...{ page: 'signed-media-urls', what: 'a media URL names expiry, type, secret and signature', start: get('mem_1') },
    ...{ headers: bearer, status: 200 },
    body: /"audio_url":"http:\/\/127\.0\.0\.1:\d+\/media\/a%20b\/%C3%BC\.wav\?expires=1772413200&type=audio%2Fwav&key=test&signature=[\w-]{43}"/,
  },
  {
    ...{ page: 'limits-left-to-the-front', what: 'nothing is compressed, and nothing is told of rates', start: list },
    ...{ headers: [...bearer, 'Accept-Encoding: gzip, br'], status: 200, body: /^\[/ },
    head: /^(?![\s\S]*(content-encoding|ratelimit|strict-transport))/i,
  },
];

test('each row is decided on a page', () => {
  const pages = new Set(rows.map(({ page }) => page));
  const missing = [...pages].filter((page) => !existsSync(join(root, 'docs', 'decisions', `${page}.md`)));
  expect(missing).toEqual([]);
});

test.each(rows)('$page: $what ($status)', async ({ start, headers = [], status, body, head }) => {
  const answer = await ask(start, headers);
  expect(answer.status).toBe(status);
  if (typeof body === 'string') expect(answer.body).toBe(body);
  else if (body) expect(answer.body).toMatch(body);
  if (head) expect(answer.head).toMatch(head);
  expect(answer.head).toMatch(/\r\nx-request-id: \S/i);
  expect(answer.head).toMatch(/\r\nx-content-type-options: nosniff/i);
});

test('errors-beyond-the-specification: a request that does not arrive in time is a 408', async () => {
  const impatient = await startReferenceServer(20);
  const { status, body } = await rawAnswer(impatient.port, 'GET / HTTP/1.1\r\nHost: a\r\n');
  expect([status, body]).toEqual([408, expect.stringMatching(anyDetail)]);
  await impatient.close();
});

test('requests-that-only-look: a body is ignored', async () => {
  const head = [list, 'Host: a', 'Connection: close', `X-API-Key: ${server.key}`, 'Content-Length: 9', '', ''];
  const { status, body } = await rawAnswer(server.port, `${head.join('\r\n')}{"limit":`);
  expect([status, JSON.parse(body).length]).toEqual([200, 5]);
});

test('paging: a list is the whole array', async () => {
  const { head, body, isWhole } = await ask(list, [`X-API-Key: ${server.longKey}`]);
  expect(JSON.parse(body)).toHaveLength(3_000);
  expect(head).not.toMatch(/\r\n(link|content-range):/i);
  expect(isWhole).toBe(true);
});

test('failure-mid-stream: a list that fails half-way is broken off, and reported', async () => {
  server.errors.length = 0;
  const { status, body, isWhole } = await ask(list, [`X-API-Key: ${server.brokenKeys.halfWay}`]);
  expect([status, isWhole]).toEqual([200, false]);
  expect(body).not.toMatch(/\]$/);
  expect(server.errors).toEqual([new Error('the disk is gone')]);
});

test('rows-of-another-account: a row of somebody else is a 500, and reported', async () => {
  server.errors.length = 0;
  const { status, body } = await ask(get('mem_1'), [`X-API-Key: ${server.brokenKeys.foreignRow}`]);
  expect([status, body]).toEqual([500, '{"detail":"Internal server error"}']);
  expect(server.errors.map(String)).toEqual([expect.stringContaining('a memory of another account')]);
});

test('media-types, media-url-expiry: media are served as nothing but media, and refused once changed or expired', async () => {
  const [, url = ''] =
    /"audio_url":"http:\/\/127\.0\.0\.1:\d+([^"]+)"/.exec((await ask(get('mem_1'), bearer)).body) ?? [];
  const good = await ask(`GET ${url} HTTP/1.1`, []);
  expect([good.status, good.body]).toEqual([200, 'abc']);
  expect(good.head).toMatch(/\r\ncontent-type: audio\/wav\r/i);
  expect(good.head).toMatch(/\r\nx-content-type-options: nosniff\r/i);
  expect(good.head).toMatch(/\r\ncontent-security-policy: sandbox; default-src 'none'\r/i);
  for (const target of [url.replace('audio%2F', 'text%2F'), `${url}x`, url.replace('b/', 'c/'), server.expiredMedia]) {
    const { status, body } = await ask(`GET ${target} HTTP/1.1`, []);
    expect([status, body], target).toEqual([403, expect.stringMatching(anyDetail)]);
  }
});

function ask(start: string, headers: Headers): Promise<RawAnswer> {
  const lines = [start, 'Host: a', ...headers.map((header) => header.replace('KEY', server.key)), 'Connection: close'];
  return rawAnswer(server.port, `${lines.join('\r\n')}\r\n\r\n`);
}
