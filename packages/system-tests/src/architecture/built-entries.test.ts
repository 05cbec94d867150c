import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEdgeCases } from '@memory-read/integration-tests/docs/edge-cases/read-edge-cases';
import { root } from '@memory-read/test-kit/repository';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { entriesOf, publishedPackages } from '../packages/packed-packages.ts';
import { sizeLimits } from '../packages/size-limits.ts';

/** Further files that users can import. */
const dataFiles: Record<string, readonly string[]> = {
  contract: ['./openapi.json', './arazzo.yaml'],
  fixtures: ['./showcase/media/*'],
};

/** All others run in any runtime: a browser, a worker, Bun, Deno, Node. */
const entriesForNode = [
  '@memory-read/client/node',
  '@memory-read/conformance/clients',
  '@memory-read/mcp/node',
  '@memory-read/mirror',
  '@memory-read/mirror/ids',
  '@memory-read/msw/node',
  '@memory-read/msw/server',
  '@memory-read/server/node',
  '@memory-read/server/sqlite',
];
const neutralEntries = entriesOf(...publishedPackages).filter(({ specifier }) => !entriesForNode.includes(specifier));

test.each(publishedPackages)('%s has exactly the listed exports', (name) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  const listed = Object.keys(sizeLimits).filter((entry) => entry.split('/')[1] === name);
  const subpaths = listed.map((entry) => entry.replace(`@memory-read/${name}`, '.'));
  expect(Object.keys(manifest.exports)).toEqual([...subpaths, ...(dataFiles[name] ?? []), './package.json']);
});

test.each(neutralEntries)('$specifier and everything that it loads are runtime-neutral', ({ built }) => {
  const builtIns = chunksOf(built).flatMap(({ path, specifiers }) =>
    specifiers.filter((specifier) => specifier.startsWith('node:')).map((specifier) => `${path} imports ${specifier}`),
  );
  expect(builtIns).toEqual([]);
});

test('tsconfig.neutral.json contains every runtime-neutral entry, and no types of Node', () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.neutral.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const sources = ts.createProgram(fileNames, options).getSourceFiles();
  const paths = new Set(sources.map(({ fileName }) => fileName));
  expect(neutralEntries.filter(({ source }) => !paths.has(source))).toEqual([]);
  expect([...paths].filter((path) => path.includes('/@types/node/'))).toEqual([]);
});

test.each(neutralEntries)('$specifier and everything that it loads create no code from text', ({ built }) => {
  const offenders = chunksOf(built).filter(({ text }) => /\beval\(|new Function\(/.test(text));
  expect(offenders.map(({ path }) => path)).toEqual([]);
});

test.each(neutralEntries)('the classes of $specifier have their own names', async ({ specifier, built }) => {
  const exported = Object.entries<unknown>(await import(built));
  const classes = exported.filter(([, value]) => /^class\b/.test(String(value)));
  expect(classes.map(([, value]) => (value as { name: string }).name)).toEqual(classes.map(([name]) => name));
  if (specifier === '@memory-read/client') expect(classes.length).toBeGreaterThan(10);
});

test('the built types describe every edge case as the sources do', () => {
  const describe = (entry: string) => readEdgeCases(entry).map(({ name, sentence }) => [name, sentence]);
  expect(describe('packages/fixtures/dist/index.d.ts')).toEqual(describe('packages/fixtures/src/index.ts'));
});

test('the zod of the contract shares no settings with that of a user', () => {
  const chunks = chunksOf(join(root, 'packages/contract/dist/index.js'));
  expect(chunks.filter(({ text }) => text.includes('__memory_read_zod_'))).not.toEqual([]);
  expect(chunks.filter(({ text }) => text.includes('__zod_global'))).toEqual([]);
});

interface Chunk {
  path: string;
  text: string;
  specifiers: string[];
}

function chunksOf(path: string, seen = new Set<string>()): Chunk[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const specifiers = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  const neighbours = specifiers.filter((specifier) => specifier.startsWith('./'));
  return [
    { path, text, specifiers },
    ...neighbours.flatMap((specifier) => chunksOf(join(path, '..', specifier), seen)),
  ];
}
