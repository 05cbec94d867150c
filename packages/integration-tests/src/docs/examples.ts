import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/** Code in a document. */
export interface ShownCode {
  /** Position, such as `packages/client/README.md:12`. */
  place: string;
  code: string;
}

/** Code that is compiled and run: a whole file, or one of its regions. */
export interface ExampleSource extends ShownCode {
  isRegion: boolean;
}

/** The folder whose files are examples, below the root of the repository. */
export const exampleFolder = 'docs/code';

/** Examples that only another test runner or a browser can run. */
const recipeFolder = 'packages/system-tests/src/docs/recipes';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const find = (...patterns: string[]) => globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).sort();

/** Every example and every region of one, without the lines that mark regions. */
export function exampleSources(): ExampleSource[] {
  return find(
    `${exampleFolder}/{,python/}*.{ts,tsx,html,py,yaml}`,
    'examples/*/*.ts',
    `${recipeFolder}/*/*.ts`,
  ).flatMap((path) => {
    const text = read(path);
    return [{ place: path, code: toCode(text), isRegion: false }, ...regionsOf(path, text)];
  });
}

/** Returns every code block of the READMEs, guides and reference pages, except shell commands and data. */
export function codeOfDocuments(): ShownCode[] {
  return find(
    'README.md',
    'packages/*/README.md',
    'packages/docs-site/src/home.md',
    'docs/{guides,reference}/*.md',
    'docs/*.md',
  ).flatMap((path) => {
    const text = read(path);
    return Array.from(text.matchAll(/^```(.*)\n([\s\S]*?)^```/gm))
      .filter(([, language = '']) => !['sh', 'json', 'toml', 'text'].includes(language))
      .map(({ index, 2: code = '' }) => ({ place: `${path}:${lineAt(text, index)}`, code: toCode(code) }));
  });
}

/** What follows each `@example` of the packages' comments; without a fence it is like no example. */
export function codeOfComments(): ShownCode[] {
  const published = '{contract,client,server,fixtures,msw,conformance,mirror,mcp,cli}';
  return find(`packages/${published}/src/**/*.ts`).flatMap((path) => {
    const text = read(path);
    return Array.from(text.matchAll(/\/\*\*[\s\S]*?\*\//g)).flatMap(({ 0: comment, index }) => {
      const [, ...shown] = comment.replace(/^\s*\*[ /]?/gm, '').split('@example');
      return shown.map((example) => ({
        place: `${path}:${lineAt(text, index)}`,
        code: toCode(/^\s*```tsx?\n([\s\S]*?)```/.exec(example)?.[1] ?? `@example${example}`),
      }));
    });
  });
}

/** Regions may lie within each other. */
function regionsOf(path: string, text: string): ExampleSource[] {
  const lines = text.split('\n');
  const open: { name: string; from: number }[] = [];
  const regions: ExampleSource[] = [];
  for (const [index, line] of lines.entries()) {
    const [, name] = /^\s*\/\/ #region (\S+)$/.exec(line) ?? [];
    if (name !== undefined) open.push({ name, from: index + 1 });
    if (!/^\s*\/\/ #endregion$/.test(line)) continue;
    const region = open.pop();
    if (region === undefined) throw new Error(`${path}:${index + 1} ends a region that nothing began.`);
    const code = toCode(lines.slice(region.from, index).join('\n'));
    regions.push({ place: `${path}#${region.name}`, code, isRegion: true });
  }
  if (open.length > 0) throw new Error(`${path}: region ${open[0]?.name} has no end.`);
  return regions;
}

/** Returns the code for a comparison: without region marks, common indentation, and blank lines around it. */
function toCode(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s*\/\/ #(end)?region\b/.test(line));
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return lines
    .map((line) => line.slice(indent).trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
