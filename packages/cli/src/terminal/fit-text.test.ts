import { expect, test } from 'vitest';
import { fitText } from './fit-text.ts';

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
