import { expect, test } from 'vitest';
import { hasDotSegment } from './request-path.ts';

test.each([
  ...['/.', '/..', '/./', '/v1/memories/../../x', '/v1/memories/..?a', '/v1/memories/.#a', '//..', '/v1/.//memories'],
  ...[
    ...['/v1/%2e', '/v1/%2E%2e/x', '/v1/.%2e', '/v1/%2E.?a', 'http://api.test/..'],
    'http://api.test/v1/x/%2e%2e/memories',
  ],
])('%s has a dot segment', (target) => {
  expect(hasDotSegment(target)).toBe(true);
});

test.each([
  ...['/', '/v1/memories', '/v1/memories/...', '/v1/memories/.a', '/v1/memories/a.', '/v1/memories/a..b', '*', ''],
  ...[
    ...['/v1/memories/..%2Fx', '/v1/memories/%2e%2e%2fx', '/v1/memories/%252e', '/v1/memories?a=/../b'],
    '/v1/memories#/..',
  ],
  ...['http://api.test', 'http://api.test/v1/memories', '/v1/memories/%2e%2e%2e'],
])('%s has no dot segment', (target) => {
  expect(hasDotSegment(target)).toBe(false);
});
