import { expect, test } from 'vitest';
import { jsonLine } from './json-line.ts';

test.each([
  ['a\ud83db', 'a\ufffdb'],
  ['\ude00\ud83d', '\ufffd\ufffd'],
  ['\\ud83d', '\\ud83d'],
  ['\\\ud83d', '\\\ufffd'],
  ['😀 \u001b[2J \u202e', '😀 \u001b[2J \u202e'],
])('%j is read back as %j', (text, read) => {
  const line = jsonLine({ [text]: [text] });
  expect(JSON.parse(line)).toEqual({ [read]: [read] });
  expect(line).not.toMatch(/\p{Cc}(?!$)|\p{Bidi_Control}/u);
});
