import type { ParityCase } from '../parity-case.ts';

const ignored: readonly (readonly [name: string, value: string])[] = [
  ['Accept', 'text/html'],
  ['Accept', 'application/xml;q=1, */*;q=0'],
  ['Accept', ''],
  ['Accept-Language', 'de'],
  ['Accept-Encoding', 'gzip, br'],
  ['Accept-Charset', 'utf-16'],
  ['If-None-Match', '*'],
  ['If-None-Match', '"etag"'],
  ['If-Match', '"etag"'],
  ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
  ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['If-Range', '"etag"'],
  ['Range', 'bytes=0-9'],
  ['Range', 'items=0-0'],
  ['Cache-Control', 'only-if-cached'],
  ['Prefer', 'return=minimal'],
  ['Origin', 'https://page.example'],
  ['Content-Type', 'text/plain'],
  ['X-Forwarded-For', '203.0.113.7'],
  ['X-Forwarded-Prefix', '/elsewhere'],
  ['X-Original-URL', '/v1/memories/mem_edge_silent'],
  ['X-User-Id', 'user_1'],
];

const requestIds: readonly (readonly [title: string, value: string])[] = [
  ['a sane one', 'trace-1'],
  ['every mark that is allowed', 'aZ09_.~:+/=-'],
  ['128 characters', 'r'.repeat(128)],
  ['129 characters', 'r'.repeat(129)],
  ['an empty one', ''],
  ['a space', 'two words'],
  ['a comma', 'a,b'],
  ['markup', '<script>'],
  ['a key that was put into the wrong header', 'mrk_0123456789'],
  ['a key behind a prefix', 'id=MRK_0123456789'],
  ['a letter beyond ASCII', 'trac\u00e9'],
];

const targets = [
  ['the list', '/v1/memories'],
  ['a memory', '/v1/memories/mem_of_one'],
] as const;
const key = ['X-API-Key', 'key-of-one'] as const;

export const headerCases: readonly ParityCase[] = [
  ...targets.flatMap(([target, path]) =>
    ignored.map((header) => ({
      ...{ title: `${header.join(': ').trim()} for ${target}`, method: 'GET', path, headers: [key, header] },
    })),
  ),
  ...requestIds.map(([title, value]) => ({
    ...{ title: `X-Request-Id: ${title}`, method: 'GET', path: '/v1/memories' },
    headers: [key, ['X-Request-Id', value] as const],
  })),
  ...['/v1/unknown', '/v1/memories/%zz', '/v1/memories'].map((path) => ({
    ...{ title: `X-Request-Id on the error of ${path}`, method: 'GET', path },
    headers: [['X-Request-Id', 'trace-1'] as const],
  })),
];
