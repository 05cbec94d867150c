import { expect, test } from 'vitest';
import { visibleLine, visibleText } from './visible-text.ts';

test.each([
  ['\u001b[2J\u001b]0;title\u0007', '\\u001b[2J\\u001b]0;title\\u0007'],
  ['a\rb\tc\u007f\u009b31m', 'a\\u000db\\u0009c\\u007f\\u009b31m'],
  ['\u202eevil\u2066', '\\u202eevil\\u2066'],
  ['שלום\u200f ABC\u200e \u061cمرحبا', 'שלום\u200f ABC\u200e \u061cمرحبا'],
  ['é 😀 "quoted" \\', 'é 😀 "quoted" \\'],
])('shows %j as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test('keeps line breaks, unless only one line is allowed', () => {
  expect(visibleText('a\nb\r\nc')).toBe('a\nb\\u000d\nc');
  expect(visibleLine('a\nb\u2028c')).toBe('a\\nb\\u2028c');
});
