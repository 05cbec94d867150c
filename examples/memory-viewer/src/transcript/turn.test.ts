import { expect, test } from 'vitest';
import { toParts, toTurns } from './turn.ts';

const say = (...speakers: string[]) =>
  toTurns(speakers.map((speaker, segment) => ({ start: segment, end: segment + 1, speaker, text: '', segment })));

test('a turn lasts until another one speaks, and a voice that returns keeps its color', () => {
  expect(
    say('A', 'A', 'B', 'A').map(({ speaker, voice, first, lines }) => [speaker, voice, first, lines.length]),
  ).toEqual([
    ['A', 0, 0, 2],
    ['B', 1, 2, 1],
    ['A', 0, 3, 1],
  ]);
});

test('parts hold every turn once, in order, and some dozen lines each', () => {
  const turns = say(...Array.from({ length: 1000 }, (_, index) => `Speaker ${index % 3}`));
  const parts = toParts(turns);
  expect(parts.flat()).toEqual(turns);
  expect(parts).toHaveLength(25);
  expect(toParts([])).toEqual([]);
});
