import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { displayWidth, fitText } from './fit-text.ts';

test.each([
  ['ab\\u001b[2J', 5, 'ab…'],
  ['ab\\u001b[2J', 8, 'ab…'],
  ['ab\\u001b[2J', 9, 'ab\\u001b…'],
  ['ab\\ncdef', 4, 'ab…'],
  ['ab\\ncdef', 5, 'ab\\n…'],
  ['ab\\u12', 5, 'ab\\u…'],
  ['週次の計画', 6, '週次…'],
])('%j in %i columns is %j', (text, width, fitted) => {
  expect(fitText(text, width)).toBe(fitted);
});

test('a cut text is as wide as it is measured, with and without characters that need more than one code unit', () => {
  for (const text of ['Weekly planning', 'Weekly \\n planning', 'Wöchentliche Planung', 'a…b']) {
    for (let width = 0; width <= text.length; width += 1) {
      const cut = fitText(text, width);
      expect(stringWidth(cut)).toBe(displayWidth(cut));
      expect(stringWidth(cut)).toBeLessThanOrEqual(width);
    }
  }
  expect(fitText('Weekly planning', 8)).toBe('Weekly …');
});
