import fc from 'fast-check';

/** Generates requests that a client, a proxy or an attacker could send, some of them with the key. */
export function rawRequest(apiKey: string): fc.Arbitrary<string> {
  const parts = fc.record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('GET', 'HEAD') },
      fc.constantFrom('POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'G\0T', ''),
    ),
    target: fc.oneof(
      { weight: 4, arbitrary: path },
      fc.constantFrom('*', '', 'http://other/v1/memories', 'other:80', '//'),
    ),
    version: fc.oneof(
      { weight: 9, arbitrary: fc.constant('HTTP/1.1') },
      fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''),
    ),
    headers: fc.array(header(apiKey), { maxLength: 6 }),
    body: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.string({ maxLength: 40 })),
  });
  return parts.map(({ method, target, version, headers, body }) =>
    [`${method} ${target} ${version}`, 'Host: fuzz', ...headers, '', body].join('\r\n'),
  );
}

const escapes = '% %2 %zz %00 %2F %2e%2e %ff %c0%af %ed%a0%80 %F0%9F%98%80 %25 %0d%0a'.split(' ');
const segment = fc.oneof(
  fc.constantFrom('v1', 'memories', 'mem_1', 'media', '..', '.', '', 'a'.repeat(300), 'a'.repeat(20_000)),
  fc.constantFrom(...escapes),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n ]/g, '')),
);
const path = fc
  .tuple(
    fc.constantFrom('/v1/memories', '/v1/memories/', '/v1/', '/', '/media/', '//v1/memories'),
    fc.array(segment, { maxLength: 3 }),
    fc.constantFrom('', '?', '?limit=1', '#x', '?a=%zz', '?expires=1&type=audio%2Fwav&key=a&signature=b'),
  )
  .map(([start, segments, query]) => start + segments.join('/') + query);

const names = [
  ...['Authorization', 'authorization', 'X-API-Key', 'X-Request-Id', 'Host', 'Range', 'Content-Length', 'X Y', ''],
  ...['Transfer-Encoding', 'Expect', 'Connection', 'Upgrade', 'Accept-Encoding', 'If-None-Match', 'Cookie'],
];
const values = [
  ...['', '0', '5', '-1', 'chunked', 'gzip, chunked', '100-continue', 'miracles', 'close', 'keep-alive', 'websocket'],
  'bytes=0-1',
];

function header(apiKey: string): fc.Arbitrary<string> {
  const keys = [apiKey, `Bearer ${apiKey}`, `bearer  ${apiKey}`, `Bearer ${apiKey}, Bearer ${apiKey}`];
  const value = fc.oneof(
    fc.constantFrom(...keys, 'Bearer', 'Basic YTpi', 'Digest a="b, c"'),
    fc.constantFrom(...values),
    fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, '')),
    fc.constant('x'.repeat(17_000)),
  );
  return fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(': ', ':', ' : ', ' '), value)
    .map((parts) => parts.join(''));
}
