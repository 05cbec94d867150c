import { expect, test } from 'vitest';
import { displayWidth } from './fit-text.ts';
import { tableLines } from './format-table.ts';

const formatTable = (...table: Parameters<typeof tableLines>) => [...tableLines(...table)].join('\n');

test('columns are as wide as their widest cell, and no line ends in spaces', () => {
  expect(
    formatTable([
      ['ID', 'STATUS'],
      ['key_123', 'active'],
      ['k', ''],
    ]),
  ).toBe('ID       STATUS\nkey_123  active\nk');
});

test('aligns wide characters, combined characters and emoji', () => {
  const rows = [
    ['日本語', '|'],
    ['e\u0301te\u0301', '|'],
    ['👩‍👩‍👧‍👦🎉', '|'],
    ['plain', '|'],
  ];
  expect(formatTable(rows).split('\n')).toEqual(['日本語  |', 'e\u0301te\u0301     |', '👩‍👩‍👧‍👦🎉    |', 'plain   |']);
});

test('a table that is too wide is cut from the last column on, between whole characters', () => {
  const rows = [
    ['mem_0123456789', '2026-03-01', 'Weekly planning'],
    ['mem_1', '2026-03-01', '週次の計画会議です'],
  ];
  expect(formatTable(rows, 38).split('\n')).toEqual([
    'mem_0123456789  2026-03-01  Weekly pl…',
    'mem_1           2026-03-01  週次の計…',
  ]);
  expect(formatTable(rows, 30).split('\n')).toEqual([
    'mem_01234…  2026-03…  Weekly …',
    'mem_1       2026-03…  週次の…',
  ]);
});

test('a table is not cut on a terminal in which it just fits', () => {
  const name = 'Weekly planning '.repeat(10).trim();
  expect(formatTable([['mem_1', name]], 166)).toBe(`mem_1  ${name}`);
});

test.each([1, 5, 20, 33, 60])('no line takes more than %i columns', (width) => {
  const rows = [
    ['ID', 'NAME'],
    ['mem_01234567890123456789', '日本語の名前はとても長い 👩‍👩‍👧‍👦👩‍👩‍👧‍👦'],
  ];
  const widths = formatTable(rows, width).split('\n').map(displayWidth);
  expect(Math.max(...widths)).toBeLessThanOrEqual(width);
});

test('escapes cells that would leave the line, move the cursor or reverse text', () => {
  const rows = [['\u001b[2Jgone', 'a\nb', '\u009b31m', '\u202eevil', 'half \ud800']];
  expect(formatTable(rows)).toBe('\\u001b[2Jgone  a\\nb  \\u009b31m  \\u202eevil  half \\ud800');
});
