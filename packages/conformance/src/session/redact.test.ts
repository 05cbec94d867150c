import { expect, test } from 'vitest';
import { createRedaction } from './redact.ts';

const { redact, redactRequest, learnSigned } = createRedaction(['hush', 'hush/2"']);

test.each([
  ['Bearer hush/2" and hush', 'Bearer [redacted] and [redacted]'],
  ['hush%2F2%22', '[redacted]'],
  ['hush/2\\"', '[redacted]'],
  [btoa('hush/2"'), '[redacted]'],
  [btoa('Bearer hush/2"').replace(/=+$/, ''), 'QmVhcmV[redacted]'],
  ['HUSH, 68757368 and \\u0068ush', '[redacted], [redacted] and [redacted]'],
  ['https://a.test/b?c=d&e=f, "/media/b?signature=1"', 'https://a.test/b?[redacted]'],
  ['https://a.test/b%3Fc%3Dd, or not', 'https://a.test/b?[redacted]'],
  ['see X-Amz-Signature=deadbeef', 'see X-Amz-Signature=[redacted]'],
  ['is it? no', 'is it? no'],
])('shows %s as %s', (text, told) => {
  expect(redact(text)).toBe(told);
});

test('shows no eight characters of the query of a known signed URL, wherever they are', () => {
  learnSigned('https://a.test/b?deadbeefcafe%2F0123&name=it%27s+here');
  expect(redact('bad deadbeefcafe/0123, beefcafe, and beefcaf')).toBe('bad …, …, and beefcaf');
  expect(redact("seen: it's+here")).toBe('seen: …');
  learnSigned('no URL');
  expect(redact('no URL')).toBe('no URL');
});

test('a request keeps its own query, and loses the key and the query that a server made part of an id', () => {
  const sent = `GET /v1/memories/hush${encodeURIComponent('?signature=1')} and GET /v1/memories?limit=1`;
  expect(redactRequest(sent)).toBe('GET /v1/memories/[redacted]?[redacted] and GET /v1/memories?limit=1');
});

test('a key of few characters is taken out where it stands alone, and leaves words whole', () => {
  const { redact: redactShort } = createRedaction(['k']);
  expect(redactShort('{"detail":"bad key k: k is no key"}')).toBe(
    '{"detail":"bad key [redacted]: [redacted] is no key"}',
  );
});
