/**
 * node packages/docs-site/src/language/main.ts [PATH…]
 *
 * Checks the language of the documents and of TSDoc: words that the glossary replaces, and the share of long sentences.
 * With paths, it checks only these and shows every long sentence.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../folders.ts';
import { checkLanguage, longest, mostLong, type Prose } from './check-language.ts';
import { tsdocOf } from './tsdoc.ts';
import { avoidedWords, glossary } from './vocabulary.ts';

const paths = process.argv.slice(2);
const prose = [...proseOfRepository()];
const avoided = avoidedWords();
const problems = [
  ...(await problemsIn(
    'Documents',
    prose.filter(({ path }) => path.endsWith('.md')),
  )),
  ...(await problemsIn(
    'TSDoc',
    prose.filter(({ path }) => path.endsWith('.ts')),
  )),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

async function problemsIn(name: string, texts: readonly Prose[]): Promise<string[]> {
  const { problems, sentences, long } = await checkLanguage(texts, avoided);
  const share = sentences === 0 ? 0 : long.length / sentences;
  console.log(
    `${name}: ${sentences} sentences, ${(share * 100).toFixed(1)} % with more than ${longest} words (at most ${mostLong * 100} %); ${problems.length} words to avoid (see ${glossary})`,
  );
  if (share <= mostLong && paths.length === 0) return problems;
  return [...problems, ...long.map(({ path, line, words, text }) => `${path}:${line}  ${words} words: ${text}`)];
}

function* proseOfRepository(): Iterable<Prose> {
  const git = ['ls-files', '-co', '--exclude-standard', '--', ...paths];
  for (const path of execFileSync('git', git, { cwd: root, encoding: 'utf8' }).split('\n')) {
    const isLinted =
      path !== glossary && !/\/(api-report|CHANGELOG)\.md$|\.test\.ts$/.test(path) && existsSync(join(root, path));
    if (!isLinted) continue;
    const read = () => readFileSync(join(root, path), 'utf8');
    if (path.endsWith('.md')) yield { path, line: 1, text: read() };
    else if (/^packages\/[\w-]+\/src\/.*\.ts$/.test(path)) yield* tsdocOf(path, read());
  }
}
