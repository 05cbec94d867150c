import { expect, test } from 'vitest';
import { uniquePrefixes } from './unique-prefixes.ts';

test.each([
  ['mem_01M81EP7 mem_01M81F22 mem_01N00000', 'mem_01M81E mem_01M81F mem_01N0'],
  ['mem_1 mem_10 mem_2', 'mem_1 mem_10 mem_2'],
  ['abcdefghij abcdefghijkl abcdefghijklm', 'abcdefghij abcdefghijkl abcdefghijklm'],
  ['only_one_memory', 'only_one'],
  ['same_id_twice same_id_twice', 'same_id_ same_id_'],
  ['1234567🎙️a 1234567🎚️b', '1234567🎙 1234567🎚'],
  ['', ''],
])('shows %j as %j', (all, expected) => {
  const ids = all.split(' ').filter(Boolean);
  const prefixes = uniquePrefixes(ids);
  expect(ids.map((id) => prefixes.get(id)).join(' ')).toBe(expected);
});

test('returns prefixes of many similar ids that belong to one id, and cannot be shorter', () => {
  const ids = Array.from({ length: 500 }, (_, index) => `mem_01M81${(index * 7919).toString(32).padStart(6, '0')}TAIL`);
  for (const [id, prefix] of uniquePrefixes(ids)) {
    expect(ids.filter((each) => each.startsWith(prefix))).toEqual([id]);
    const shorter = ids.filter((each) => each.startsWith(prefix.slice(0, -1)));
    expect(prefix.length === 8 || shorter.length > 1).toBe(true);
  }
});
