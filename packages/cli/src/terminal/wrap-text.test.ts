import { expect, test } from 'vitest';
import { fitLines } from './fit-lines.ts';
import { displayWidth } from './fit-text.ts';
import { wrapText } from './wrap-text.ts';

test.each([
  ['a phrase breaks between words', 'We talk about the submarine.', 12, ['We talk', 'about the', 'submarine.']],
  [
    'a longer word has a line of its own',
    'See https://example.com/a-b now',
    10,
    ['See', 'https://example.com/a-b', 'now'],
  ],
  ['wide characters', '週次 計画 会議', 9, ['週次 計画', '会議']],
  ['Japanese without spaces', '会議は「データベース」の移行です。', 16, ['会議は', '「データベース」', 'の移行です。']],
  ['a word of them that is wider', 'データベース', 8, ['データベ', 'ース']],
  ['Thai without spaces', 'ภาษาไทยครับ', 7, ['ภาษาไทย', 'ครับ']],
  ['an emoji of several code points', '👩🏽‍🚀👩🏽‍🚀 👩🏽‍🚀', 4, ['👩🏽‍🚀👩🏽‍🚀', '👩🏽‍🚀']],
  ['colours take no columns', 'We \u001b[1mtalk\u001b[22m about', 13, ['We \u001b[1mtalk\u001b[22m about']],
  ['an empty text', '', 5, ['']],
])('%s', (_, text, width, lines) => {
  const wrapped = wrapText(text, width);
  expect(wrapped.map((line) => line.replaceAll(/\s+$/g, ''))).toEqual(lines);
});

test('at every width, no line with several words is wider, and no character is lost', () => {
  const text =
    'At 10:30, 会議は「データベース」の移行です。 ภาษาไทยครับ e\u0301e\u0301 👩🏽‍🚀👩🏽‍🚀 https://example.com/a-b';
  for (let width = 8; width <= 100; width += 1) {
    const lines = wrapText(text, width);
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    expect(lines.filter((line) => displayWidth(line) > width && line !== 'https://example.com/a-b')).toEqual([]);
  }
});

test.each([
  ['One two three', 'One two\nthree'],
  ['  0:05 Ann: one', '  0:05\n    Ann:\n    one'],
  ['Open it: memory-read open', 'Open \\\n  it: \\\n  memory-read \\\n  open'],
  [
    "Open it: memory-read open --mirror 'my m'",
    "Open \\\n  it: \\\n  memory-read \\\n  open \\\n  --mirror \\\n  'my m'",
  ],
  ['- one two three', '- one\n  two\n  three'],
  ['  memory-read list', '  memory-read \\\n    list'],
])('the rest of %j is below its text', (line, fitted) => {
  expect(
    fitLines(line, 9)
      .split('\n')
      .map((part) => part.trimEnd())
      .join('\n'),
  ).toBe(fitted);
});
