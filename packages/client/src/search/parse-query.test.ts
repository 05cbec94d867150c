import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';
import { parseQuery, speakerKey } from './parse-query.ts';

const finds = (query: string, text: string) =>
  parseQuery(query).terms.every(({ folded }) => fold(text).includes(folded));

test.each([
  ['neighbo', 'The neighbours came.'],
  ['premium', 'Two premiums'],
  ['premium $79', 'The premium is $79.'],
  ['ΟΔΟΣ', 'Οδοσήμανση'],
  ['don’t', "I don't know"],
  ['well-bein', 'Well-beings'],
  ['car', 'The car stops.'],
  ['wor*', 'words'],
  ['"cancel the tri*"', 'We cancel the trips'],
  ['"on friday"', 'Ship it on Friday!'],
  ['“on friday”', 'on Friday'],
  ['« on friday »', 'on Friday'],
  ['＂on friday＂', 'on Friday'],
  ['friday on', 'on a Friday'],
  ['東京', '昨日、東京に行った'],
  ['会議', '来週のプロジェクト会議'],
  ['今日は', '今日 は'],
  ['gpt四', '新しいGPT四です'],
  ['ผม', 'และผมก็'],
  ['회의', '다음회의는'],
  ['-5', 'minus 5'],
  ['--base-url', 'the base url'],
  ['c++', 'c'],
  [`${'x'.repeat(70)}`, 'x'.repeat(80)],
])('%j finds %j', (query, text) => {
  expect(parseQuery(query).terms).not.toEqual([]);
  expect(finds(query, text)).toBe(true);
});

test.each([
  ['gree', 'We agreed.'],
  ['car', 'We care.'],
  ['bu*', 'The budget'],
  ['79', '790'],
  ['2026', '20261'],
  ['"cancel the tri"', 'We cancel the trips'],
  ['"friday on"', 'on a Friday'],
  ['京都', '東京'],
  ['か', 'これがいい'],
  ['pt四', 'GPT四'],
  ['今日は', '今日、は'],
])('%j does not find %j', (query, text) => {
  expect(finds(query, text)).toBe(false);
});

test.each([
  ['budget -draft', [['budget'], ['draft'], [], []]],
  ['budget -"draft plan" -Ünicode', [['budget'], ['draft plan', 'Ünicode'], [], []]],
  ['-“draft plan”', [[], ['draft plan'], [], []]],
  ['-speaker:Ada speaker:"Speaker 2" x', [['x'], [], ['Speaker 2'], ['Ada']]],
  ['SPEAKER:ada', [[], [], ['ada'], []]],
  ['speaker: ada', [['speaker:', 'ada'], [], [], []]],
  ['-5 - x --y "-z" a-b "on call"-rotation', [['-5', 'x', '--y', '-z', 'a-b', 'on call', '-rotation'], [], [], []]],
  ['"unclosed phrase', [['unclosed phrase'], [], [], []]],
  ['the The THÉ "the"', [['the'], [], [], []]],
  ['! "" — -', [[], [], [], []]],
])('parses %j', (text, parts) => {
  const { terms, without, speakers, withoutSpeakers } = parseQuery(text);
  const texts = [terms, without].map((found) => found.map((term) => term.text));
  expect([...texts, ...[speakers, withoutSpeakers].map((found) => found.map(({ label }) => label))]).toEqual(parts);
});

test('options add a speaker and limit the kinds', () => {
  const query = parseQuery('budget', { speaker: 'SPÉAKER 2', kind: 'name' });
  expect(query).toMatchObject({ speakers: [{ label: 'SPÉAKER 2', key: 'speaker 2' }], kinds: ['name'] });
  expect(speakerKey(' ??? ')).toBe('???');
});

test('no text throws, and 32 terms are read', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => void parseQuery(text)));
  const words = Array.from({ length: 40 }, (_, index) => `w${index}`).join(' ');
  expect(parseQuery(words).terms).toHaveLength(32);
});
