import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold, foldWithPlaces, isAnyPart } from './fold.ts';

test.each([
  ['Café', ' cafe '],
  ['Cafe\u0301', ' cafe '],
  ['STRASSE Straße', ' strasse strasse '],
  ['ΟΔΟΣ οδός', ' οδοσ οδοσ '],
  ['Łódź Søren Đặng færdig', ' lodz soren dang faerdig '],
  ['Œuvre Þór Ðe ħ Ŧ ışık IŞIK İ ŋ', ' oeuvre thor de h t isik isik i n '],
  ['ﬁsh ½ ２０２６ ①', ' fish 1 2 2026 1 '],
  ["I can't, co-op: 3.5 — $79!", ' i can t co op 3 5 79 '],
  ['می\u200cخواهم', ' میخواهم '],
  ['مُحَمَّد أحمد كـتاب', ' محمد احمد كتاب '],
  ['שָׁלוֹם', ' שלום '],
  ['ёлка й', ' елка и '],
  ['in\u00advisible zero\u200bwidth \ufeffx', ' invisible zerowidth x '],
  ['हिन्दी में', ' हिन्दी में '],
  ['abc漢字def', ' abc 漢字 def '],
  ['漢1ผม2', ' 漢 1 ผม 2 '],
  ['今日 は\n休み。明日', ' 今日は休み 明日 '],
  ['ｶﾞｲﾄﾞ、がいど', ' ガイド がいど '],
  ['か\u3099', ' が '],
  ['다음 주 회의', ' 다음 주 회의 '],
  ['大韓民國은 今日', ' 大韓民國은 今日 '],
  ['\u1112\u1161\u11ab한', ' 한한 '],
  ['葛\u{e0100}城 葛城', ' 葛城葛城 '],
  ['a\u0e31b', ' a \u0e31 b '],
  ['', ' '],
  [' — !? ', ' '],
  ['\ud800x', ' x '],
])('folds %j to %j', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test('a word is cut at 64 characters, a run is not', () => {
  expect(fold(`${'a'.repeat(70)} b`)).toBe(` ${'a'.repeat(64)} b `);
  expect(fold(`${'é'.repeat(70)}`)).toBe(` ${'e'.repeat(64)} `);
  expect(fold('漢'.repeat(70))).toBe(` ${'漢'.repeat(70)} `);
});

test.each([
  ['first consonants without a vowel', '\u1100'],
  ['marks', '\u0301'],
  ['marks of symbols', '\u20d0'],
  ['marks of Thai', '\u0e31'],
  ['invisible characters', '\u200d'],
])('the time grows at most linearly with %s', (_, character) => {
  // With quadratic time, this test would time out.
  expect(fold(`x${character.repeat(200_000)} b`).endsWith(' b ')).toBe(true);
});

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        'e\u0301',
        'ß',
        'İ',
        '漢',
        'か',
        'ﾞ',
        '한',
        ' ',
        '\u200d',
        'ﷺ',
        '½',
        'a'.repeat(70),
        'æ',
        '\u0e31',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

test('every text folds to words between single spaces, and folds to itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = fold(text);
      expect(folded).toMatch(/^ (?:[\p{L}\p{M}\p{N}]+ )*$/u);
      for (const word of folded.trim().split(' ')) {
        expect([...word].every((character) => isAnyPart(character) === isAnyPart(word))).toBe(true);
      }
    }),
  );
});

test('the places of a folded text are in the original, in order', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { folded, starts, ends } = foldWithPlaces(text);
      expect(folded).toBe(fold(text));
      expect([starts.length, ends.length]).toEqual([folded.length, folded.length]);
      for (const [index, start] of starts.entries()) {
        const end = ends[index] ?? -1;
        expect(start).toBeGreaterThanOrEqual(starts[index - 1] ?? 0);
        expect(end).toBeLessThanOrEqual(text.length);
        if (folded[index] !== ' ') expect(end).toBeGreaterThan(start);
      }
    }),
  );
});
