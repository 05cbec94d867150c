import { expect, test } from 'vitest';
import { excerptOf } from './excerpt-of.ts';

const filler = 'word '.repeat(60);
const show = (text: string, ...terms: string[]) =>
  excerptOf(text, terms)
    .map(({ text: piece, isFound }) => (isFound ? `[${piece}]` : piece))
    .join('');

test.each([
  ['forms of a word', show('It polls, and polled.', 'poll'), 'It [polls], and [polled].'],
  ['whole names only', show('Call getMemory or memory.', 'getmemori'), 'Call [getMemory] or memory.'],
  ['nothing', show('No match.', 'other'), 'No match.'],
  ['a later line', show(`${filler}\nA retry follows.`, 'retri'), '… A [retry] follows.'],
  [
    'the place with most words',
    show(`error ${filler}\nAn error of getMemory.`, 'error', 'getmemori'),
    '… An [error] of [getMemory].',
  ],
])('an excerpt with %s', (_case, shown, expected) => {
  expect(shown).toBe(expected);
});

test('a long excerpt ends after a word', () => {
  expect(show(`retry ${filler}`, 'retri')).toMatch(/^\[retry\] (?:word ){20,}…$/);
});
