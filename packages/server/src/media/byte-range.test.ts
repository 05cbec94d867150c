import { expect, test } from 'vitest';
import { parseByteRange } from './byte-range.ts';

test.each([
  ['bytes=0-0', 10, { start: 0, end: 0 }],
  ['BYTES=2-5', 10, { start: 2, end: 5 }],
  ['bytes=9-10', 10, { start: 9, end: 9 }],
  ['bytes=0-99999999999999999999999', 10, { start: 0, end: 9 }],
  ['bytes=4-', 10, { start: 4, end: 9 }],
  ['bytes=0-', 10, { start: 0, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-10', 10, { start: 0, end: 9 }],
  ['bytes=-11', 10, { start: 0, end: 9 }],
])('%s of %i bytes is a part', (header, size, range) => {
  expect(parseByteRange(header, size)).toEqual(range);
});

test.each([
  ['bytes=10-', 10],
  ['bytes=10-10', 10],
  ['bytes=99999999999999999999999-', 10],
  ['bytes=-0', 10],
  ['bytes=-0', 0],
  ['bytes=0-', 0],
  ['bytes=0-1', 0],
])('%s of %i bytes cannot be satisfied', (header, size) => {
  expect(parseByteRange(header, size)).toBe('unsatisfiable');
});

test.each([
  ...[null, '', 'bytes', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=0-1,3-4', 'bytes=0-1,', 'bytes= 0-1', 'bytes=a-b'],
  ...['bytes=0 - 1', 'bytes=0x1-', 'bytes=-1-2', 'bytes=1.5-', 'bytes=+1-', 'seconds=0-1', 'xbytes=0-1', 'bytes=0-1\n'],
  'bytes=١-٢',
])('%j is not a range and requests the whole object', (header) => {
  expect(parseByteRange(header, 10)).toBeUndefined();
});

test('the last bytes of an empty object are the whole object', () => {
  expect(parseByteRange('bytes=-5', 0)).toBeUndefined();
});
