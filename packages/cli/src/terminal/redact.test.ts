import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { redact } from './redact.ts';

test.each([
  ['Failed with mrk_hush-1 and MRK_HUSH.', 'Failed with mrk_… and mrk_….'],
  ["fetch 'https://a.test/media/b.wav?expires=1&signature=hush' failed", "fetch 'https://a.test/media/b.wav?…' failed"],
  ['is it? https://a.test/b, or not?', 'is it? https://a.test/b, or not?'],
])('shows %s as %s', (text, told) => {
  expect(redact(new TestProcess(), text)).toBe(told);
});
