import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';
import { excludesWords, parseQuery } from './parse-query.ts';

const finds = (query: string, text: string) => parseQuery(query)?.every((term) => foldText(text).includes(term));

test.each([
  ['agree', 'We AGREED.'],
  ['cafe', 'Le Café'],
  ['café', 'CAFE'],
  ['STRASSE', 'Die Straße'],
  ['straße', 'DIE STRASSE'],
  ['ΟΔΟΣ', 'Οδοσήμανση'],
  ['ışık', 'IŞIK'],
  ['ﬁsh', 'FISH'],
  ['don’t', "I don't know"],
  ['"on friday"', 'Ship it on Friday!'],
  ['“on fri”', 'on Friday'],
  ['we’re '.repeat(12), 'We’re here.'],
  ['friday on', 'on a Friday'],
  ['東京', '昨日、東京に行った'],
  ['gpt四', '新しいGPT四です'],
  ['ผม', 'และผมก็'],
  ['が', 'これがいい'],
])('finds %j in %j', (query, text) => {
  expect(finds(query, text)).toBe(true);
});

test.each([
  ['gree', 'We agreed.'],
  ['"friday on"', 'on a Friday'],
  ['京都', '東京'],
  ['か', 'これがいい'],
  ['pt四', 'GPT四'],
])('does not find %j in %j', (query, text) => {
  expect(finds(query, text)).toBe(false);
});

test.each(['', ' . ', '""', 'a b c d e f g h i j k l m', '"a b c d e f g" h i j k l m'])(
  'rejects the query %j',
  (query) => {
    expect(parseQuery(query)).toBeUndefined();
  },
);

test.each([
  'budget -draft',
  '-draft',
  '-"draft plan"',
  'budget -“draft plan”',
  '-"unclosed',
  '-東京',
  '-speaker:Ada',
  '"a phrase" -draft',
])('the query %j excludes words', (query) => {
  expect(excludesWords(query)).toBe(true);
});

test.each([
  '-5',
  'minus -40°',
  '"-x"',
  '"budget -draft" plan',
  '“-x”',
  'e-mail',
  'budget - draft',
  'budget – draft',
  'budget -- draft',
  '--base-url',
  '"on call"-rotation',
  'pre-"x"',
  'well-',
  '-',
])('the query %j excludes no words', (query) => {
  expect(excludesWords(query)).toBe(false);
});
