import { expect, test } from 'vitest';
import { digest } from './digest.ts';

// A stored state must stay valid in every later release.
test('digests do not change between releases', () => {
  expect(['', 'a', 'Stand-up', 'Ünïcode 🎉'].map(digest)).toEqual([
    'm6u0r4u5mi',
    'spdvdo7tcs',
    '1r1dp8h0ne1',
    '6wadz220i8',
  ]);
});
