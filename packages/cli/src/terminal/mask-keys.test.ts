import { expect, test } from 'vitest';
import { maskKeys, rememberKey } from './mask-keys.ts';

test('masks a key that the user gave, whatever its form is, and every key of this server', () => {
  expect(maskKeys('no key is given: sk-live/1"2')).toBe('no key is given: sk-live/1"2');
  for (const key of ['sk-live/1"2', 'sk-live', 'a1', 'mrk_own']) rememberKey(key);
  expect(maskKeys('Failed: sk-live/1"2 SK-LIVE/1"2')).toBe('Failed: [redacted] [redacted]');
  expect(maskKeys('GET /v1/memories/sk-live%2F1%222 "sk-live/1\\"2"')).toBe('GET /v1/memories/[redacted] "[redacted]"');
  expect(maskKeys('a1, a12 and ba1')).toBe('[redacted], a12 and ba1');
  expect(maskKeys('mrk_own mrk_other')).toBe('mrk_… mrk_…');
});
