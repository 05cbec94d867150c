import { expect, test } from 'vitest';
import { isInsideWord } from './is-inside-word.ts';

/** Each bar is an offset. */
function offsetsOf(marked: string): { text: string; offsets: number[] } {
  const parts = marked.split('|');
  const offsets = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('').length);
  return { text: parts.join(''), offsets };
}

test.each([
  'dis|agree',
  'a|1',
  'can|’|t',
  "don|'|t",
  'don|´|t',
  'don|\u2032|t',
  'col|·|lecció',
  'צה|״|ל',
  'non|-|stop',
  '3|.|5',
  '10|:|30',
  '1|,|000',
  'at -|5 degrees',
  '-|5',
  'e|\u0301',
  'q|\u0301 ',
  '\ud83d|\ude00',
  '👩|\u200d|🚀',
  '👩|🏽',
  '🇩🇪🇫|🇷',
  'क|्|ष',
  'می|\u200c|خواهم',
  'ท|\u0e33',
  '한|국',
])('is true for every offset in %j', (marked) => {
  const { text, offsets } = offsetsOf(marked);
  expect(offsets.length).toBeGreaterThan(0);
  expect(offsets.filter((offset) => !isInsideWord(text, offset))).toEqual([]);
});

test.each([
  '|I| |agree|.|',
  'so|,| |we|',
  '“|agreed|”',
  '|dogs|’| bowl',
  'well| |-| |no',
  'the end|.|Next',
  '|私|は|犬|',
  'abc|漢|字',
  'カ|タ|カ',
  'ผ|ม',
  '😀|😀',
  '🇩🇪|🇫🇷',
])('is false for every offset in %j', (marked) => {
  const { text, offsets } = offsetsOf(marked);
  expect(offsets.filter((offset) => isInsideWord(text, offset))).toEqual([]);
});
