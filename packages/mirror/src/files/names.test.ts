import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultTemplate, fileSuffixes, nameStem, parseTemplate, stemKey, type Template } from './names.ts';

const local = { date: '2026-11-19', time: '08:30:15' };
const template = (text: string) => parseTemplate(text) as Template;
const stem = (name: string, { as = defaultTemplate, id = 'mem_1', isTaken = (_: string): boolean => false } = {}) =>
  nameStem(template(as), { id, name }, local, isTaken).stem;

test.each([
  ['Appointment with Dr. Ito', 'Appointment with Dr. Ito'],
  ['Plan: Q1/Q2', 'Plan - Q1-Q2'],
  ['[[link]] #tag ^block', 'link-- -tag -block'],
  ['../../etc/passwd', 'etc-passwd'],
  ['C:\\Windows\\x', 'C--Windows-x'],
  ['-rf ~', 'rf ~'],
  ['a\0b\nc\u001b[31m', 'a b c -31m'],
  ['exe\u202egpj.', 'exegpj'],
  ['  ...  ', 'Untitled'],
  ['', 'Untitled'],
  ['line\nbreak\u202e', 'line break'],
  ['\u2066שלום\u200f ABC\u200e \u061cمرحبا\u2069', 'שלום\u200f ABC\u200e \u061cمرحبا'],
  ['\u200f \u200d', 'Untitled'],
  ['a\ud800b', 'ab'],
  ['CON', 'CON'],
  ['Cafe\u0301', 'Café'],
  ['👩🏽‍🚀 launch', '👩🏽‍🚀 launch'],
  ['あ'.repeat(200), 'あ'.repeat(33)],
])('cleans the name %j', (name, safe) => {
  expect(stem(name)).toBe(`2026-11-19 ${safe} 2213`);
});

test('the default gives the stems that pages have had from the beginning', () => {
  const characters = Array.from('a./\\\0\u202e -👍\ud83d:*é\u0301\n~').concat('👩‍👩‍👧', '#', '\u200f');
  const names = Array.from({ length: 300 }, (_, run) =>
    Array.from({ length: run }, (_character, index) => characters[(run * 7 + index * (run % 13)) % characters.length]),
  );
  const stems = names.map((name, index) => stem(name.join(''), { id: `mem_${index}` }));
  expect(createHash('sha256').update(stems.join('\n')).digest('hex')).toBe(
    '89b323afb5cada70cb2b0a210dd9a28abbb63e46c77d2251e1a01008fe34469e',
  );
});

test.each([
  ['{year}/{month}/{day} {time} {name}', '2026/11/19 08.30 Talk'],
  ['{name} {memory_id}', 'Talk mem_1'],
  ['{date}{id}', '2026-11-192213'],
  ['Caf\u0065\u0301 {name}', 'Caf\u00e9 Talk'],
  ['aux/{name}', '_aux/Talk'],
])('%s gives %s', (as, expected) => {
  expect(stem('Talk', { as })).toBe(expected);
});

test.each([
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['com¹', '_com¹'],
  ['Console', 'Console'],
  ['a/b', 'a-b'],
])('a part that is only the name %j is %j', (name, expected) => {
  expect(stem(name, { as: '{name}' })).toBe(expected);
  expect(stem(name, { as: '{name}/{date}' })).toBe(`${expected}/2026-11-19`);
});

test.each([
  ['mem_1-B', 'mem_1-B'],
  ['-rf', '_-rf'],
  ['nul', '_nul'],
  ['a b', 'c8687a08'],
  ['../x', 'd6b96a97'],
  ['x'.repeat(41), '3164596d'],
])('the id %j is %j in a path', (id, expected) => {
  expect(stem('Talk', { as: '{memory_id}', id })).toBe(expected);
});

describe('a taken stem', () => {
  const taken = (...stems: string[]) => ({ isTaken: (each: string) => stems.includes(each) });

  test('gets more digits of {id}', () => {
    expect(stem('Talk', taken('2026-11-19 Talk 2213'))).toBe('2026-11-19 Talk 22132404');
  });

  test('gets digits at its end where the template has no {id}', () => {
    expect(stem('Talk', { as: '{year}/{name}', ...taken('2026/Talk') })).toBe('2026/Talk 2213');
    expect(stem('Talk', { as: '{year}/{name}', ...taken('2026/Talk', '2026/Talk 2213') })).toBe('2026/Talk 22132404');
  });

  test('has digits within its length, whatever is cut', () => {
    for (const as of ['{name}', '{name}{name} {id}', '{memory_id}{memory_id}{memory_id}{id}']) {
      const options = { as, id: 'x'.repeat(40) };
      const first = stem('あ'.repeat(99), options);
      const second = stem('あ'.repeat(99), { ...options, ...taken(first) });
      expect(second).not.toBe(first);
      expect(Buffer.byteLength(second)).toBeLessThanOrEqual(118);
    }
  });

  test('does not change what is wanted', () => {
    const { wanted } = nameStem(
      template('{name} {id}'),
      { id: 'mem_1', name: 'Talk' },
      local,
      (each) => each.length < 20,
    );
    expect(wanted).toBe('Talk 2213');
  });
});

test.each([
  ['{nope}', '{nope} is not a field'],
  ['{Name}', '{Name} is not a field'],
  ['{}', '{} is not a field'],
  ['{constructor}', '{constructor} is not a field'],
  ['{name', 'it has a lone brace'],
  ['name} {id}', 'it has a lone brace'],
  ['{{name}}', 'it has a lone brace'],
  ['', 'a part of it is empty'],
  ['/{name}', 'a part of it is empty'],
  ['{year}//{name}', 'a part of it is empty'],
  ['{name}/', 'a part of it is empty'],
  ['../{name}', 'a part of it begins with'],
  ['.{name}', 'a part of it begins with'],
  ['~{name}', 'a part of it begins with'],
  ['-{name}', 'a part of it begins with'],
  ['{name}.', 'a part of it begins with'],
  ['{year} /{name}', 'a part of it begins with'],
  ...Array.from('\\<>:"|?*\n\0\u202e\u2028', (character) => [
    `{name}${character}{id}`,
    'it has a character that file names cannot have',
  ]),
  [`${'é'.repeat(31)}{name}`, 'a part of it has more than 60 bytes'],
  ['talks', 'its last part has no field'],
  ['{name}/talks', 'its last part has no field'],
])('%j is not a template: %s', (text, problem) => {
  const found = parseTemplate(text as string);
  expect(found).toMatchObject({ problem: expect.stringContaining(problem as string), advice: expect.any(String) });
});

test('the problem of an unknown field names the known ones', () => {
  expect(parseTemplate('{nope}')).toEqual({
    problem: '{nope} is not a field',
    advice: 'Use {date}, {time}, {year}, {month}, {day}, {name}, {id} or {memory_id}',
  });
});

test.each([
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδος', 'οδοσ'],
  ['Straße', 'STRASSE'],
  ['שלום\u200f', 'שלום'],
  ['👩\u200d🚀', '👩🚀'],
  ['Ångström ﬁ', 'A\u030aNGSTRÖM FI'],
  ['\u0345α', '\u0399α'],
])('%j and %j are one file on some disk', (one, other) => {
  expect(stemKey(one)).toBe(stemKey(other));
});

test.each([
  [
    { video: '.mp4', audio: '.wav', preview_image: '.jpg' },
    { video: '.mp4', audio: '.wav', preview_image: '.jpg' },
  ],
  [
    { video: '.webm', audio: '.webm' },
    { video: '.webm', audio: '.audio.webm' },
  ],
  [{ audio: '.webm' }, { audio: '.webm' }],
  [
    { video: '', audio: '', preview_image: '' },
    { video: '', audio: '.audio', preview_image: '.preview' },
  ],
  [{ preview_image: '.md' }, { preview_image: '.preview.md' }],
])('media with the suffixes %j have %j', (files, expected) => {
  expect(fileSuffixes(files)).toEqual(expected);
});

test('every name in every template makes a path that every file system accepts', () => {
  const templates = [defaultTemplate, '{name}', '{year}/{name}/{memory_id}', '{name}{name}', 'con{name}/x {time}'];
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'.-~ aé👍') }),
  );
  fc.assert(
    fc.property(text, text, fc.constantFrom(...templates), (name, id, as) => {
      for (const part of stem(name, { as, id }).split('/')) {
        expect(part).toMatch(/^[^\s.~-](.*[^\s.])?$/u);
        expect(part).not.toMatch(/[/\\\p{Cc}<>:"|?*]|^(con|nul)(\.|$)/iu);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(118);
      }
    }),
  );
});
