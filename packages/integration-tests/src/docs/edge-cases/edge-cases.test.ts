import { edgeCases } from '@memory-read/fixtures';
import { expect, test } from 'vitest';
import { readEdgeCases } from './read-edge-cases.ts';

const shown = readEdgeCases('packages/fixtures/src/index.ts');

test('an editor shows for every edge case what it is for, in a sentence', () => {
  expect(shown.map(({ name }) => name)).toEqual(Object.keys(edgeCases));
  expect(shown.filter(({ sentence }) => !/^\p{Lu}[^\n]{25,150}[.?]$/u.test(sentence))).toEqual([]);
  expect(new Set(shown.map(({ sentence }) => sentence)).size).toBe(shown.length);
});
