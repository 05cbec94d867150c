import { isInsideCharacter } from '@memory-read/contract/visible-text';
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
  'צה|"|ל',
  'א|־|ב',
  'non|-|stop',
  'non|－|stop',
  'non|–|stop',
  'don|\u0060|t',
  'don|‛|t',
  '3|.|5',
  '5|万円',
  '1|億',
  '二|十|五人',
  '10|:|30',
  '1|,|000',
  "1|'|500 francs",
  '1|’|500',
  '1| |500 euros',
  '20| |000| |000',
  '1|\u066c|500 a',
  '5|\u066b|7 a',
  '5|·|7 a',
  '1|，|500',
  '๑|๕',
  'at -|5 degrees',
  '-|5',
  '–|500 euros',
  '(-|500 euros)',
  'x=\u2212|5',
  '\u2212| |5 degrees',
  // Signs that turn a number around.
  'is =\u0338|5',
  ...Array.from('\u2260\u2247\u2264<>\u00b1\u2213\u00ac~+\u207b\u2796\u221a', (sign) => `is ${sign}|5`),
  ...['\u2260', '<', '\u2265', '\u00b1'].map((sign) => `is ${sign}| |5 of them`),
  '\u2260|-|5',
  '\u2248|$|5',
  'x\u2260|5',
  'is !|=|5',
  'is <|=|5',
  'is >|=| |5',
  'is !|=| |5',
  'is \u02d7|5',
  '5|\u301c|10',
  '5|\uff5e|10',
  // Look-alikes of the signs of numbers.
  ...Array.from('\u2024\ufe52\uff0e\u2236\ua789\uff1a\u2215\u2044\u30fb\uff65\u2e33\u02d9', (sign) => `1|${sign}|5`),
  ' about \u2024|5 percent',
  // Look-alikes of apostrophes and hyphens.
  ...['\u1fbd', '\u1fbf', '\u1ffe', '\u0384', '\uff40', '\u00a8', '\u02d8', '\u275b', '\u275c'].map(
    (sign) => `can|${sign}|t`,
  ),
  ...['\u02d7', '\u2043', '\u207b', '\u2796', '\u1806', '\u2e17', '\u{10ead}'].map((sign) => `non|${sign}|stop`),
  // Letters that are symbols.
  'can|\u24e3',
  'can|\u{1f143}',
  'can|\uff3f|t',
  '10|^|6',
  '-|$|500 profit',
  '-|US|$|500 profit',
  '$|-|500 profit',
  'about .|5 percent',
  '-|.|5',
  'e|\u0301',
  'q|\u0301 ',
  '\ud83d|\ude00',
  '👩|\u200d|🚀',
  '👩|🏽',
  '🇩🇪🇫|🇷',
  'क|्|ष',
  'က|္|က',
  'က္|က',
  'ក|្|ក|ា',
  '\u0600|1',
  '\u0600| 漢',
  '\u0d4e|漢',
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
  'I agree|—|mostly',
  'in 2024| |500 people',
  '10| |1000',
  '5| |20',
  'so| |- 5',
  'क्| |ष',
  '|私|は|犬|',
  'abc|漢|字',
  'カ|タ|カ',
  'ผ|ม',
  '😀|😀',
  '🇩🇪|🇫🇷',
  'mostly|\u2e3a|no',
  'in 2024|\u2014|500 people',
  'in 2024|\u2026|500 people',
  '2024年|。|5人',
  '1|、|2',
  'one | two',
  'yes|…|no',
  'Word|™| is',
  'go to |→| A',
  'カ|・|タ',
])('is false for every offset in %j', (marked) => {
  const { text, offsets } = offsetsOf(marked);
  expect(offsets.filter((offset) => isInsideWord(text, offset))).toEqual([]);
});

test('does not split a long row of flags, and reads only its end', () => {
  const flags = '🇩🇪'.repeat(1_000);
  let reads = 0;
  const counted = {
    length: flags.length,
    charCodeAt: (index: number) => flags.charCodeAt(index),
    slice: (start: number, end: number) => {
      reads += 1;
      return flags.slice(start, end);
    },
  };
  expect(isInsideCharacter(counted as unknown as string, 2_000)).toBe(true);
  expect(reads).toBeLessThan(100);
  expect(isInsideCharacter(flags, 40)).toBe(false);
});
