import { expect, test } from 'vitest';
import { columnsOf } from './columns.ts';
import { wordsOf } from './words-of.ts';

test.each<[words: string]>([
  ['Shall| we| start?'],
  ['https://example.com/a-b?c=d&e'],
  ['100\u00a0km| and\u202f5|\tmiles'],
  ['a \u0301b| c'],
  ['会議|は|「データベース」|の|移行|です。|次'],
  ['API|を|呼ぶ'],
  ['2026年|11月|24日'],
  ['人々|が|スーパー|へ|行って|ね'],
  ['そー|です|ねーーー'],
  ['うっ|わぁぁぁ'],
  ['ภาษา|ไทย|ครับๆ|ไทย'],
  ['ភាសា\u200b|ខ្មែរ'],
  ['བོད་|སྐད་|དང་|ཡིན།'],
  ['👩🏽‍🚀|❤️|❤️|🇩🇪|🇫🇷|1️⃣|🏴󠁧󠁢󠁥󠁮󠁧󠁿|a'],
  ['so|👍|👍🏽'],
  ['다음| 주| 목요일에'],
])('a line can end only here: %s', (marked) => {
  const words = wordsOf(marked.replaceAll('|', ''), 42, 42);
  expect(words.map(({ gap, text }) => gap + text).join('|')).toBe(marked);
});

test.each<[text: string, parts: string[]]>([
  ['abcdefghijk', ['abcde', 'fghij', 'k']],
  ['プロジェクトワークス', ['プロ', 'ジェ', 'クト', 'ワー', 'クス']],
  ['e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301', ['e\u0301e\u0301e\u0301e\u0301e\u0301', 'e\u0301e\u0301']],
])('a word that is wider than a line is split between characters: %s', (text, parts) => {
  expect(wordsOf(text, 5, 5).map((word) => word.text)).toEqual(parts);
});

test.each<[sentences: string]>([
  ['It works. |so it does! |“Really?” |Yes… |fine'],
  ['I met Dr. Ito, J. Doe and the U.S. team, e.g. on No. 5.'],
  ['会議です。|「はい。」|次！|最後'],
  ['مرحبا؟ |نعم. |لا'],
  ['नमस्ते। |आप कैसे हैं? |ठीक'],
  ['שלום?\u200f |כן'],
])('sentences end here: %s', (marked) => {
  const words = wordsOf(marked.replaceAll('|', ''), 42, 42);
  const text = words.map(({ gap, text: word, startsSentence }) => gap + (startsSentence ? '|' : '') + word).join('');
  expect(text).toBe(marked);
});

test.each([
  ['Shall we?', 9],
  ['Łódź – «да»…', 12],
  ['来週の会議', 10],
  ['ｶﾀｶﾅ', 4],
  ['ไทยครับ', 6],
  ['한국어', 6],
  ['👩🏽‍🚀❤️🇩🇪', 6],
  ['e\u0301', 1],
] as const)('%s has %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});
