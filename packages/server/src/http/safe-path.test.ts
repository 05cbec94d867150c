import { expect, test } from 'vitest';
import { safePathOf } from './safe-path.ts';

const key = `mrk_${'Ab-_9'.repeat(8)}xyz`;
const escaped = (text: string) => Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

test.each([
  ['/v1/memories', '/v1/memories'],
  ['/v1/memories/mem%201?limit=1', '/v1/memories/mem%201'],
  ['/media/a%2Fb.wav?expires=1&signature=hush', '/media/a%2Fb.wav'],
  ['http://ada:hush@api.test/v1/memories?hush', '/v1/memories'],
  ['*', '*'],
  ['/%zz', '/%zz'],
  ['/\xe9\x9b', '/%e9%9b'],
])('%s is shown as %s', (target, shown) => {
  expect(safePathOf(target)).toBe(shown);
});

test.each([
  ['as it is', key],
  ['in other letters', key.toUpperCase()],
  ['escaped', escaped(key)],
  ['escaped in part', key.replace('_', '%5F').replace('9', '%39')],
  ['escaped twice', encodeURIComponent(escaped(key))],
  ['escaped seven times', escaped(key).replaceAll('%', `%${'25'.repeat(6)}`)],
  ['escaped by hex digits that are escaped', key.replace('_', '%%35F')],
  ['escaped without end', key.replace('_', '%%%%%%%%33333333'.repeat(40))],
])('redacts a key in the path %s', (_, spelling) => {
  const shown = safePathOf(`/v1/memories/${spelling}`);
  expect(shown).not.toMatch(/Ab-|xyz/i);
  expect(shown).toMatch(/^\/(v1\/memories\/mrk_)?…$/);
});

test.each(['?expires=1&signature=hush', '%3Fexpires=1&signature=hush', '%253fsignature=hush', '&signature=hush'])(
  'removes the query of a signed URL from the path as %s',
  (query) => {
    expect(safePathOf(`/media/a.wav${query}`)).toMatch(/^\/media\/a\.wav…?$/);
  },
);

test('cuts a long path, and handles one of only escapes quickly', () => {
  expect(safePathOf(`/${'a'.repeat(20_000)}`)).toHaveLength(513);
  expect(safePathOf(`/${'%25'.repeat(6_000)}`).length).toBeLessThan(514);
});
