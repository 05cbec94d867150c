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

test('rejects a value that is nested too deeply for the engine', () => {
  const deep = {
    toJSON() {
      return nest(0);
    },
  };
  const nest = (depth: number): number => nest(depth + 1) + 1;
  expect(() => jsonLine(deep)).toThrow(
    'Failed to write JSON: a field that the API does not specify is nested too deeply.',
  );
});
