/**
 * node packages/docs-site/src/language/main.ts [PATH…]
 *
 * Checks the language of the documents, of TSDoc, of comments and of test names: words that the glossary replaces, and the
 * share of long sentences.
 * With paths, it checks only these and shows every long sentence.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../folders.ts';
import { checkLanguage, longest, mostLong, type Prose } from './check-language.ts';
import { lineCommentsOf, testNamesOf, tsdocOf } from './tsdoc.ts';
import { avoidedWords, glossary } from './vocabulary.ts';

const paths = process.argv.slice(2);
const avoided = avoidedWords();
const problems = [
  ...(await problemsIn('Documents', documents())),
  ...(await problemsIn('TSDoc', sources(/^packages\/[\w-]+\/src\/.*(?<!\.test)\.ts$/, tsdocOf))),
  ...(await problemsIn('Comments', sources(/\.(ts|tsx|mjs)$/, lineCommentsOf))),
  ...(await problemsIn('Test names', sources(/\.test\.tsx?$/, testNamesOf))),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

async function problemsIn(name: string, texts: Iterable<Prose>): Promise<string[]> {
  const { problems, sentences, long } = await checkLanguage(texts, avoided);
  const share = sentences === 0 ? 0 : long.length / sentences;
  console.log(
    `${name}: ${sentences} sentences, ${(share * 100).toFixed(1)} % with more than ${longest} words (at most ${mostLong * 100} %); ${problems.length} words to avoid (see ${glossary})`,
  );
  if (share <= mostLong && paths.length === 0) return problems;
  return [...problems, ...long.map(({ path, line, words, text }) => `${path}:${line}  ${words} words: ${text}`)];
}

function* documents(): Iterable<Prose> {
  for (const path of pathsLike(/\.md$/)) {
    if (path !== glossary && !/\/(api-report|CHANGELOG)\.md$/.test(path)) yield { path, line: 1, text: read(path) };
  }
}

function* sources(pattern: RegExp, commentsOf: (path: string, source: string) => Prose[]): Iterable<Prose> {
  for (const path of pathsLike(pattern)) yield* commentsOf(path, read(path));
}

function pathsLike(pattern: RegExp): string[] {
  const git = ['ls-files', '-co', '--exclude-standard', '--', ...paths];
  const files = execFileSync('git', git, { cwd: root, encoding: 'utf8' }).split('\n');
  return files.filter((path) => pattern.test(path) && existsSync(join(root, path)));
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
