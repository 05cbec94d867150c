import { expect, test } from 'vitest';
import { speakerKey, tokenize } from './tokens.ts';

const words = (text: string) => tokenize(text).map((token) => token.text);

test.each([
  ['Hello, World-2!', ['hello', 'world', '2']],
  ['ÉCOLE cafe\u0301 Straße STRASSE', ['ecole', 'cafe', 'strasse', 'strasse']],
  ['ΣΊΣΥΦΟΣ Σίσυφος', ['σισυφοσ', 'σισυφοσ']],
  ['Йод ёж', ['иод', 'еж']],
  ['أَهْلًا', ['اهلا']],
  ['ﬁn Ｆｕｌｌ ½ İstanbul', ['fin', 'full', '1', '2', 'istanbul']],
  ['東京都', ['東京', '京都', '都']],
  ['iPhone版', ['iphone', '版']],
  ['が か\u3099 ｶﾞ', ['が', 'が', 'ガ']],
  ['한국어 \u1112\u1161\u11ab', ['한국', '국어', '어', '한']],
  ['👍 — …', []],
])('splits and folds %j', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test('returns offsets into the original text', () => {
  const text = 'a ﬁn cafe\u0301! 𠮷野家';
  expect(tokenize(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'a',
    'ﬁn',
    'cafe\u0301',
    '𠮷',
    '野',
    '家',
  ]);
});

test('returns one key for all spellings of a speaker, and different keys for different speakers', () => {
  expect(speakerKey('SPEAKER  2')).toBe(speakerKey('Speaker 2'));
  expect(speakerKey('Speaker 2')).not.toBe(speakerKey('Speaker 22'));
  expect(speakerKey('?')).not.toBe(speakerKey('!'));
});
