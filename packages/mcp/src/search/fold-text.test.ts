import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';

test.each([
  ['Café', ' CAFE '],
  ['abc漢字def', ' ABC 漢字 DEF '],
  ['q\u20d0漢', ' Q\u20d0 漢 '],
  ['漢1ผม2', ' 漢 1 ผม 2 '],
  ['a\u0e31b', ' A \u0e31 B '],
])('folds %j to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('folds a letter with many marks in one pass', () => {
  for (const mark of ['\u20d0', '\u0e31']) {
    const words = foldText(`apple a${mark.repeat(200_000)} plum`);
    expect(words).toMatch(/^ APPLE A/);
    expect(words).toMatch(/ PLUM $/);
  }
});
