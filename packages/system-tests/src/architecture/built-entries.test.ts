import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishedPackages } from '../packages/packed-packages.ts';
import { root } from '../repository.ts';

/** What is published, literally: a change here is a change for users and needs a changeset. */
const exportMaps: Record<string, readonly string[]> = {
  contract: [
    '.',
    './operations',
    './fields',
    './date-time',
    './openapi',
    './redaction',
    './openapi.json',
    './arazzo.yaml',
    './package.json',
  ],
  client: ['.', './transcript', './media-url', './node', './package.json'],
  server: ['.', './sqlite', './postgres', './s3', './node', './testing', './package.json'],
  fixtures: ['.', './package.json'],
  msw: ['.', './node', './browser', './fetch', './package.json'],
  conformance: ['.', './package.json'],
  cli: ['./package.json'],
};

/** Entries that run in any runtime: a browser, a worker, Bun, Deno, Node. */
const neutralEntries = [
  'contract/dist/index.js',
  'contract/dist/operations.js',
  'contract/dist/fields.js',
  'contract/dist/date-time.js',
  'contract/dist/openapi.js',
  'contract/dist/redaction.js',
  'client/dist/index.js',
  'client/dist/transcript.js',
  'client/dist/media-url.js',
  'server/dist/index.js',
  'server/dist/postgres.js',
  'server/dist/s3.js',
  'server/dist/testing.js',
  'fixtures/dist/index.js',
  'msw/dist/index.js',
  'msw/dist/node.js',
  'msw/dist/browser.js',
  'msw/dist/fetch.js',
  'conformance/dist/index.js',
];

test('every published package is pinned here', () => {
  expect(Object.keys(exportMaps).sort()).toEqual([...publishedPackages].sort());
});

test.each(Object.entries(exportMaps))('%s exports what is pinned here', (name, entries) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.exports)).toEqual(entries);
});

test.each(neutralEntries)('%s and all it loads are runtime-neutral', (entry) => {
  const builtIns = chunksOf(join(root, 'packages', entry)).flatMap(({ path, specifiers }) =>
    specifiers.filter((specifier) => specifier.startsWith('node:')).map((specifier) => `${path} imports ${specifier}`),
  );
  expect(builtIns).toEqual([]);
});

test.each(neutralEntries)('%s and all it loads make no code from text', (entry) => {
  const offenders = chunksOf(join(root, 'packages', entry)).filter(({ text }) => /\beval\(|new Function\(/.test(text));
  expect(offenders.map(({ path }) => path)).toEqual([]);
});

test.each(neutralEntries)('the classes of %s have their own names', async (entry) => {
  const exported = Object.entries<unknown>(await import(join(root, 'packages', entry)));
  const classes = exported.filter(([, value]) => /^class\b/.test(String(value)));
  expect(classes.map(([, value]) => (value as { name: string }).name)).toEqual(classes.map(([name]) => name));
  if (entry === 'client/dist/index.js') expect(classes.length).toBeGreaterThan(10);
});

test("the contract's own zod shares no settings with a user's", () => {
  const chunks = chunksOf(join(root, 'packages/contract/dist/index.js'));
  expect(chunks.filter(({ text }) => text.includes('__memory_read_zod_'))).not.toEqual([]);
  expect(chunks.filter(({ text }) => text.includes('__zod_global'))).toEqual([]);
});

interface Chunk {
  path: string;
  text: string;
  specifiers: string[];
}

function chunksOf(entry: string, seen = new Set<string>()): Chunk[] {
  if (seen.has(entry)) return [];
  seen.add(entry);
  const text = readFileSync(entry, 'utf8');
  const specifiers = Array.from(
    text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g),
    ([, specifier]) => specifier ?? '',
  );
  const neighbours = specifiers.filter((specifier) => specifier.startsWith('./'));
  return [
    { path: entry, text, specifiers },
    ...neighbours.flatMap((specifier) => chunksOf(join(entry, '..', specifier), seen)),
  ];
}
