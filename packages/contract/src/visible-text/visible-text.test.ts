import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

test.each([
  ['a\u0000b\u2028c\ufff9d', 'a b c d'],
  ['  a \t\n b\u00a0 ', 'a b'],
  ['a\ud800b', 'a\ufffdb'],
  ['e\u0301', 'é'],
  ['in\u00advisi\u200bble\u2060 \u{e0041}\u{e0100}\ufe0f\u115f\u3164\u202e', 'invisible'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['क्\u200dष', 'क्\u200dष'],
  ['a\u200d\u200cb \u200dc d\u200d', 'ab c d'],
  // Joiners stay only where the script of both neighbours uses them.
  ['a\u200b\u200db', 'ab'],
  [
    'can\u200dnot при\u200cвет χα\u200dίρε של\u200dום 漢\u200c字 か\u200dな 한\u200c국',
    'cannot привет χαίρε שלום 漢字 かな 한국',
  ],
  ['1\u200d5 a\u0301\u200cb سa\u200cس', '15 áb سaس'],
  ['র\u200d\u09cdযাব ශ\u0dca\u200dරී ᠡ\u200dᠨ ܐ\u200cܒ', 'র\u200d\u09cdযাব ශ\u0dca\u200dරී ᠡ\u200dᠨ ܐ\u200cܒ'],
  // Format controls without a glyph, and characters with an empty one.
  ['s\u{13430}e\u{13437}c\u{1343f}ret', 'secret'],
  ['one\u2800two \u2800 three', 'one two three'],
  ['s\u{1d159}e\u{16fe4}c\u{13441}r\u{13442}et', 'secret'],
  ['a\u180e\u180b\u115f\u1160\uffa0\u3164\u17b4\u034f\u061c\u{1d173}\u{e0101}b', 'ab'],
  // Signs with a glyph above the number after them.
  ['\u0600\u0661 \u06dd\u0662 \u070fܐ \u{110bd}a', '\u0600\u0661 \u06dd\u0662 \u070fܐ \u{110bd}a'],
  ['👩🏽\u200d🚀 ❤\ufe0f\u200d🔥 👩\u200c🚀', '👩🏽\u200d🚀 ❤\u200d🔥 👩🚀'],
])('shows %j as %j', (text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['abc efg', 5, 'abc…'],
  ['ab😀cd', 4, 'ab…'],
  ['ab👩\u200d🚀cd', 6, 'ab…'],
  ['abq\u0301cd', 4, 'ab…'],
  ['a🇩🇪🇫🇷b', 8, 'a🇩🇪…'],
  ['abc', 0, '…'],
])('cuts %j at %i to %j', (text, limit, expected) => {
  expect(visibleText(text, limit)).toBe(expected);
});

const parts = [
  'a',
  'é',
  'e\u0301',
  '\u0301',
  '\u200c',
  '\u200d',
  '\u200b',
  '\ufe0f',
  '👩',
  '🏽',
  '🚀',
  '🇩',
  ' ',
  '\u3000',
  '\n',
  'क',
  '\u094d',
  '\u115f',
  '\u1100',
  '\u1161',
  '\ud800',
  '\ud83d',
  '\udc00',
  '\ufeff',
  '1',
  'م',
  '\u{13430}',
  '\u2800',
  '\u{1d159}',
  '\u0600',
];

test('changes nothing in a second pass, with and without a limit', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'binary' }))).map((all) => all.join(''));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, limit) => {
      const visible = visibleText(text);
      expect(visibleText(visible)).toBe(visible);
      const cut = visibleText(text, limit);
      expect(visibleText(cut, limit)).toBe(cut);
      expect(cut.length).toBeLessThanOrEqual(limit);
      expect(visible).not.toMatch(/[\p{Cc}\u2028\u2029\ufff9-\ufffb]|(?![\u200c\u200d])\p{DI}/u);
    }),
    { seed: 11, numRuns: 1_000 },
  );
});
