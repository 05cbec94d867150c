import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileStem, stemKey } from './file-stem.ts';

const stemOf = (name: string) => fileStem({ id: 'mem_1', name });

test.each([
  ['Morning', 'Morning 22132404'],
  ['Talk: the car', 'Talk - the car 22132404'],
  ['../../etc/passwd', 'etc-passwd 22132404'],
  ['C:\\Windows\\x', 'C--Windows-x 22132404'],
  ['-rf ~', 'rf ~ 22132404'],
  ['.hidden', 'hidden 22132404'],
  ['a\0b\nc\u001b[31m', 'a b c [31m 22132404'],
  ['exe\u202egpj.', 'exegpj 22132404'],
  ['\u2066שלום\u200f ABC\u200e \u061cمرحبا\u2069', 'שלום\u200f ABC\u200e \u061cمرحبا 22132404'],
  ['\u200f \u200d', 'Untitled 22132404'],
  ['a\ud800b', 'ab 22132404'],
  ['', 'Untitled 22132404'],
  [' ... ', 'Untitled 22132404'],
  ['CON', '_CON 22132404'],
  ['nul.txt', '_nul.txt 22132404'],
  ['Console', 'Console 22132404'],
  ['Cafe\u0301', 'Café 22132404'],
  ['👩‍👩‍👧 at home', '👩‍👩‍👧 at home 22132404'],
])('a memory called %j has files that begin with %j', (name, stem) => {
  expect(stemOf(name)).toBe(stem);
});

test('long names are cut between characters, so that a file name stays far below 255 bytes', () => {
  const long = stemOf('👩‍👩‍👧'.repeat(100));
  expect(long).toBe(`${'👩‍👩‍👧'.repeat(5)} 22132404`);
  expect(Buffer.byteLength(stemOf('é'.repeat(1_000)))).toBe(109);
});

test('names files of memories with one name differently, with longer digests if short ones are equal', () => {
  const taken = new Set([stemKey(stemOf('Morning'))]);
  const isTaken = (stem: string) => taken.has(stemKey(stem));
  expect(fileStem({ id: 'mem_2', name: 'Morning' }, isTaken)).toMatch(/^Morning [\da-f]{8}$/);
  for (const name of ['MORNING', 'Morn\u200fing', 'Morn\u200cing']) {
    expect(fileStem({ id: 'mem_1', name }, isTaken)).toMatch(new RegExp(`^${name} 22132404[\\da-f]{4}$`));
  }
});

test('returns a valid file name in the folder, whatever the name of the memory is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-stem-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const characters = [
    'a',
    '.',
    '/',
    '\\',
    '\0',
    '\u202e',
    ' ',
    '-',
    '👍',
    '\ud83d',
    ':',
    '*',
    'é',
    '\u0301',
    '\n',
    '~',
  ];
  const names = Array.from({ length: 300 }, (_, run) =>
    Array.from({ length: run }, (_character, index) => characters[(run * 7 + index * (run % 13)) % 16]).join(''),
  );
  const stems = names.map((name, index) => fileStem({ id: `mem_${index}`, name }));
  for (const stem of stems) writeFileSync(join(folder, `${stem}.json`), '');
  expect(readdirSync(folder).sort()).toEqual(stems.map((stem) => `${stem}.json`).sort());
});
