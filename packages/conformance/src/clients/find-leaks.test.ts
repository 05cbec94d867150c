import { expect, test } from 'vitest';
import { findLeaks } from './find-leaks.ts';

const apiKey = 'mrk_abcdefghijklmnop';
const query = '?expires=1795179600&key=main&signature=5m_AnMLGx-k7Ngf7iYmg07OrwT5U-Q1MKu9keAIfclo';
const path = `/space-1/media/usr/mem_a/audio.wav${query}`;

test.each([
  ['a URL', `GET http://127.0.0.1:4321${path}`],
  ['a URL of another host', `http://localhost:4321${path}`],
  ['an escaped URL', encodeURIComponent(`http://127.0.0.1:4321${path}`)],
  ['a line of a log', `http://127.0.0.1:4321 "GET ${path} HTTP/1.1" 200`],
  ['a request', `> GET ${path} HTTP/1.1\r\n> Host: 127.0.0.1`],
  ['a query', query.slice(1)],
  ['a query as JSON', JSON.stringify(Object.fromEntries(new URLSearchParams(query)))],
])('%s of media is a leak', (_what, output) => {
  expect(findLeaks(output, apiKey)).toEqual(['a signed URL']);
});

test.each([
  'http://127.0.0.1:4321/space-1/media/usr/mem_a/audio.wav',
  'GET http://127.0.0.1:4321/space-1/media/usr/mem_a/audio.wav?… 200',
  '/space-1/media/usr/mem_a/audio.wav?[redacted]',
  'signature=[redacted]&expires=1795179600',
  'The signature: 5 of 7 is wrong. signature=***',
  'http://127.0.0.1:4321/space-1/v1/memories?limit=5',
])('%j is not a leak', (output) => {
  expect(findLeaks(output, apiKey)).toEqual([]);
});
