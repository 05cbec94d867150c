import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from './redact.ts';
import { escapeControls, replaceControls } from './replace-controls.ts';

// Listed by number, as a second opinion on the properties of Unicode.
const ranges: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
];
const isControl = (code: number) => ranges.some(([from, to]) => from <= code && code <= to);

test('of all characters, exactly the controls are replaced', () => {
  const replaced: number[] = [];
  const expected: number[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (replaceControls(String.fromCodePoint(code)) !== String.fromCodePoint(code)) replaced.push(code);
    if (isControl(code)) expected.push(code);
  }
  expect(replaced).toEqual(expected);
});

test.each([
  ['a\nb\r\nc\td', 'a\nb\r\nc\td'],
  ['a\rb', 'a\ufffdb'],
  ['\u202eevil\u202c', '\ufffdevil\ufffd'],
  ['שלום\u200f ABC\u200e \u061cمرحبا', 'שלום\u200f ABC\u200e \u061cمرحبا'],
  ['שלום مرحبا 👩🏽‍🚀 ❤️ e\u0301 क्‍ष می‌خواهم', 'שלום مرحبا 👩🏽‍🚀 ❤️ e\u0301 क्‍ष می‌خواهم'],
])('%j becomes %j', (text, shown) => {
  expect(replaceControls(text)).toBe(shown);
});

test('whatever is redacted holds no control, and any other character stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = replaceControls(text);
      expect(
        [...shown].some((character) => isControl(character.codePointAt(0) ?? 0) && !/[\t\r\n]/.test(character)),
      ).toBe(false);
      expect(shown).toHaveLength(text.length);
      expect(redact(text, [])).toBe(replaceControls(redact(text, [])));
    }),
  );
});

test('an escape stands for each control, for white space but a line feed, and for what YAML does not allow', () => {
  const others = [0x09, 0x0d, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const isEscaped = isControl(code) || others.includes(code) || (code >= 0xd800 && code <= 0xdfff);
    const written = `\\u${code.toString(16).padStart(4, '0')}`;
    if (escapeControls(character) !== (isEscaped ? written : character)) expect.fail(`U+${code.toString(16)}`);
  }
  expect(escapeControls('a\r\nb 😀')).toBe('a\\u000d\nb 😀');
});

test('redacts controls in a text with and without a key', () => {
  expect(redact('\u001b[2J\u009b31m\u202e', [])).toBe('\ufffd[2J\ufffd31m\ufffd');
  expect(redact('\u001b[2J secret\u0007', ['secret'])).toBe('\ufffd[2J [redacted]\ufffd');
});
