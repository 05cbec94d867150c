import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { maskKeys, redact, rememberKey } from './mask-keys.ts';

test('masks a key that the user gave, whatever its form is, and every key of this server', () => {
  const process = new TestProcess();
  expect(maskKeys(process, 'no key is given: sk-live/1"2')).toBe('no key is given: sk-live/1"2');
  for (const key of ['sk-live/1"2', 'sk-live', 'mrk_own']) rememberKey(process, key);
  expect(maskKeys(process, 'Failed: sk-live/1"2 SK-LIVE/1"2')).toBe('Failed: [redacted] [redacted]');
  expect(maskKeys(process, 'GET /v1/memories/sk-live%2F1%222 "sk-live/1\\"2"')).toBe(
    'GET /v1/memories/[redacted] "[redacted]"',
  );
  expect(maskKeys(process, 'mrk_own mrk_other')).toBe('mrk_… mrk_…');
});

test.each([
  ['Failed with mrk_hush-1 and MRK_HUSH.', 'Failed with mrk_… and mrk_….'],
  ["fetch 'https://a.test/media/b.wav?expires=1&signature=hush' failed", "fetch 'https://a.test/media/b.wav?…' failed"],
  ['is it? https://a.test/b, or not?', 'is it? https://a.test/b, or not?'],
])('shows %s as %s', (text, told) => {
  expect(redact(new TestProcess(), text)).toBe(told);
});
