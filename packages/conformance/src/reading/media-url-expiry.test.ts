import { expect, test } from 'vitest';
import { mediaUrlExpiry } from './media-url-expiry.ts';

const nine = Date.UTC(2026, 2, 1, 9);

test.each([
  ['X-Amz-Date=20260301T080000Z&X-Amz-Expires=3600&X-Amz-Signature=a', nine],
  ['X-Goog-Date=20260301T080000Z&X-Goog-Expires=3600', nine],
  ['se=2026-03-01T09%3A00%3A00Z&sig=a', nine],
  ['Expires=1772355600&Signature=a&Key-Pair-Id=b', nine],
  ['expires=1772355600&signature=a', nine],
  ['X-Amz-Expires=3600', undefined],
  ['expires=soon', undefined],
  ['token=a', undefined],
])('a URL with %s ends at %s', (query, expiry) => {
  expect(mediaUrlExpiry(`https://media.example/a.wav?${query}`)).toBe(expiry);
});

test('returns undefined for a text that is not a URL', () => {
  expect(mediaUrlExpiry('a.wav?expires=1772355600')).toBeUndefined();
});
