import { expect, test } from 'vitest';
import { checkLanguage } from './check-language.ts';
import { lineCommentsOf, testNamesOf, tsdocOf } from './tsdoc.ts';
import { avoidedWords } from './vocabulary.ts';

const check = (text: string, path = 'page.md') => checkLanguage([{ path, line: 1, text }], avoidedWords());

test('reports an expression of the glossary column "Not" with its place and its replacement', async () => {
  const { problems } = await check('# Title\n\nThe client looks\nagain; *nobody* is told.\n');
  expect(problems).toEqual([
    'page.md:3  "looks\\nagain" is to be avoided: use poll',
    'page.md:4  "nobody" is to be avoided: use the client, the server, the mock, you',
    'page.md:4  "told" is to be avoided: use report',
  ]);
});

test('reports "is no" before a noun, but not after "there" and not before "longer"', async () => {
  const { problems } = await check(
    'It is no file.\n\nThere is no file: it is no longer there, and that\nwas no error.\n',
  );
  expect(problems).toEqual([
    'page.md:1  "is no file" is to be avoided: use is not a',
    'page.md:4  "was no error" is to be avoided: use is not a',
  ]);
});

test('does not report code, addresses and parts of other words', async () => {
  const { problems } = await check('`whoever` and [a page](nobody.md) retold.\n\n```sh\ntell nobody\n```\n');
  expect(problems).toEqual([]);
});

test('counts sentences of more than 25 words, with code and links counted as they read', async () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
  const { sentences, long } = await check(
    `Short one here now. ${words(26)}.\n\n- ${words(24)} \`a b c d\`.\n\n| Cell | ${words(27)} |\n|---|---|\n| two words | x |\n`,
  );
  expect([sentences, long.map(({ words, line }) => [words, line])]).toEqual([
    4,
    [
      [27, 5],
      [26, 1],
    ],
  ]);
});

const comments = `const text = "/** whoever */";
/**
 * Returns one. Nobody minds {@link nobody}.
 *
 * @throws {@link OneError} for somebody.
 * @example Nobody
 * \`\`\`ts
 * tell();
 * \`\`\`
 */
export const one = 1;
interface Two {
  /** Told once. */
  two: string;
}`;

const lineComments = `\x2f/ Nobody reads
\x2f/ whoever.
const url = "https://nobody.example"; \x2f/ told once
  // biome-ignore lint: nobody
/**
 * console.log(1); \x2f/ nobody
 */
//   await nobody();`;

const testNames = `import { describe, expect, test } from 'vitest';
describe('nobody', () => {
  test.each(['whoever'])('is told %s', (name) => {
    expect(name).toBe('somebody');
  });
});`;

test.each([
  ['TSDoc without its examples and tags', tsdocOf, comments, ['3  "Nobody"', '5  "somebody"', '13  "Told"']],
  [
    'line comments, and joins those of consecutive lines',
    lineCommentsOf,
    lineComments,
    ['1  "Nobody"', '2  "whoever"', '3  "told"'],
  ],
  ['the names of tests and groups', testNamesOf, testNames, ['2  "nobody"', '3  "told"']],
])('checks %s, at its place in the file', async (_what, proseOf, source, expected) => {
  const { problems } = await checkLanguage(proseOf('one.ts', source), avoidedWords());
  expect(problems.map((problem) => problem.split(' is to be ')[0])).toEqual(expected.map((place) => `one.ts:${place}`));
});
