import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { compile, versionOf } from './compile.ts';
import { createConsumer } from './create-consumer.ts';
import { entriesOf, publishedPackages } from './packed-packages.ts';

const compilers = ['typescript-oldest', 'typescript', 'typescript-7'];
const modules = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];
/** As in docs/versioning.md: other entries need the types of the web. */
const entriesWithoutWeb = [
  '@memory-read/client/media-url',
  '@memory-read/client/transcript',
  '@memory-read/contract',
  '@memory-read/contract/date-time',
  '@memory-read/contract/fields',
  '@memory-read/contract/operations',
  '@memory-read/contract/redaction',
  '@memory-read/fixtures',
];
/** The types of the official SDK mention Buffer. */
const entriesOfNode = ['@memory-read/mcp', '@memory-read/mcp/node'];
const entries = entriesOf(...publishedPackages).map(({ specifier }) => specifier);

const consumer = createConsumer();
for (const file of ['consumer.ts', 'mcp.ts', 'mock.ts', 'mock-fetch.ts']) consumer.add(file);
for (const entry of entries) consumer.write(fileOf(entry), importOf(entry));
consumer.write('without-web.ts', entriesWithoutWeb.map(importOf).join('\n'));
const ofAll = entries.filter((entry) => !entriesOfNode.includes(entry));
consumer.write('all.ts', ofAll.map(importOf).join('\n'));
consumer.write('of-sdk.ts', entriesOfNode.map(importOf).join('\n'));

const cases = compilers.flatMap((compiler) =>
  modules.map((options) => ({ compiler, version: versionOf(compiler), options, as: options.moduleResolution })),
);

test.each(cases)('TypeScript $version accepts, as $as, what projects do with the types', ({ compiler, options }) => {
  for (const file of ['consumer.ts', 'mock.ts', 'mock-fetch.ts']) {
    expect(compile(consumer, compiler, file, options), file).toBe('');
  }
  expect(compile(consumer, compiler, 'mcp.ts', { ...options, skipLibCheck: true })).toBe('');
});

test.each(cases)('TypeScript $version accepts, as $as, all entries with es2022 and dom', ({ compiler, options }) => {
  expect(compile(consumer, compiler, 'all.ts', { ...options, lib: ['es2022', 'dom'] })).toBe('');
  // The other entries need @types/node, or this option.
  const unchecked = { ...options, lib: ['es2022', 'dom'], skipLibCheck: true };
  expect(compile(consumer, compiler, 'of-sdk.ts', unchecked)).toBe('');
});

test.each(cases)('accepts with TypeScript $version, as $as, the documented entries with only es2022', (one) => {
  expect(compile(consumer, one.compiler, 'without-web.ts', { ...one.options, lib: ['es2022'] })).toBe('');
});

test.each(entries.filter((entry) => !entriesWithoutWeb.includes(entry)))(
  'needs names of the web for the types of %s, which are not documented for only es2022',
  (entry) => {
    const said = compile(consumer, 'typescript-7', fileOf(entry), { module: 'nodenext', lib: ['es2022'] });
    expect(said).toMatch(/Cannot find name '(AbortSignal|Headers|ReadableStream|Request|Response|URL)'/);
  },
);

test('documents in docs/versioning.md the entries that need only es2022', () => {
  const [, told = ''] =
    /With `lib: \["es2022"\]` alone you can import([\s\S]*?)\. /.exec(
      readFileSync(join(root, 'docs/versioning.md'), 'utf8'),
    ) ?? [];
  expect(Array.from(told.matchAll(/`([^`]+)`/g), ([, entry]) => entry).sort()).toEqual(entriesWithoutWeb);
});

test('with @types/node, all entries but those for MSW and for media elements, whose types need dom, are accepted without dom', () => {
  consumer.link('@types/node');
  const ofNode = entries.filter((entry) => !/^@memory-read\/(msw(\/node|\/browser)?|client\/playback)$/.test(entry));
  expect(ofNode).toHaveLength(entries.length - 4);
  consumer.write('of-node.ts', ofNode.map(importOf).join('\n'));
  for (const compiler of compilers) {
    const options = { module: 'nodenext', lib: ['es2022'], types: ['node'] };
    expect(compile(consumer, compiler, 'of-node.ts', options), compiler).toBe('');
  }
});

function fileOf(entry: string): string {
  return `${entry.replace(/\W+/g, '-').slice(1)}.ts`;
}

function importOf(entry: string): string {
  const name = entry.replace(/\W+/g, '_');
  return `import * as ${name} from '${entry}';\nexport const used_${name} = ${name};`;
}
