import { expect, test } from 'vitest';
import { unknownIds } from './unknown-ids.ts';

test.each([
  ['mem_01J9', ['mem_12J0', 'mem_23J1', 'mem_01J0', 'mem_01J1', 'mem_01J90']],
  [
    '6b2f0c1e-5d0a-4a52-9f3e-0a1b2c3d4e5f',
    expect.arrayContaining(['6b2f0c1e-5d0a-4a52-9f3e-1a2b3c4d5e6f', '6b2f0c1e-5d0a-4a52-9f3e-0a1b2c3d4e5a']),
  ],
  ['walk', ['xbml', 'ycnm', 'wall', 'walm', 'walk0']],
  ['fade', expect.arrayContaining(['abef'])],
  // Not every variation of a date or a number is well-formed, so only some are expected.
  ['2026-03-20-07', expect.arrayContaining(['2026-03-20-08'])],
  ['9', ['0', '1', '90']],
  ['ü', ['ü0']],
])('in place of %s, requests %j', (example, ids) => {
  expect(unknownIds(example, new Set([example]))).toEqual(ids);
});

test('skips ids that exist', () => {
  expect(unknownIds('m1', new Set(['m1', 'm2', 'm3']))).toEqual(['m4', 'm5', 'm10']);
});
