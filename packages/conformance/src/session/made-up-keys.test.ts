import { expect, test } from 'vitest';
import { madeUpKeys } from './made-up-keys.ts';

test('keys are made up that differ from the real one at the end, in case and in length', () => {
  expect(madeUpKeys({ apiKey: 'Key-1' })).toEqual({
    wrong: 'no-key-of-any-account',
    nearly: 'Key-A',
    otherCase: 'kEY-1',
    longer: 'Key-1x',
    shorter: 'Key-',
  });
});

test('what is empty or a key itself is not made up', () => {
  expect(Object.keys(madeUpKeys({ apiKey: '1' }))).toEqual(['wrong', 'nearly', 'longer']);
  expect(Object.keys(madeUpKeys({ apiKey: 'b', otherAccountApiKey: 'B', inactiveApiKey: 'bx' }))).toEqual([
    'wrong',
    'nearly',
  ]);
});
