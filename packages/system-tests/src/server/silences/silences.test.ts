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
const anyDetail = /^\{"detail":"[^"]+"\}$/;

// What a fetch can send is asked in ../../parity, of the mock as well.
const rows: Row[] = [
  ...[oddId, '😀'.repeat(256)].map((id) => ({
    ...{ page: 'ids-and-paths', what: 'any text is an id, up to 256 code points', start: get(encodeURIComponent(id)) },
    ...{ headers: bearer, status: 200, body: new RegExp(`^\\{"id":${JSON.stringify(id).replace(/[?]/g, '\\?')},`) },
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
    ...{
      page: 'ordering',
      what: 'instants, then ids by their bytes, descending',
      start: list,
      headers: bearer,
      status: 200,
    },
    body: /"id":"mem_1".*"id":"😀".*"id":"\ufffd"/,
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

function ask(start: string, headers: Headers): Promise<RawAnswer> {
  const lines = [start, 'Host: a', ...headers.map((header) => header.replace('KEY', server.key)), 'Connection: close'];
  return rawAnswer(server.port, `${lines.join('\r\n')}\r\n\r\n`);
}
