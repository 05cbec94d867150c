import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { exampleFolder } from '@memory-read/integration-tests/docs/examples';
import { root } from '@memory-read/test-kit/repository';
import { expect, test, vi } from 'vitest';
import { createConsumer } from './create-consumer.ts';
import { entriesOf, publishedPackages } from './packed-packages.ts';

// A compiler takes several seconds for each project.
vi.setConfig({ testTimeout: 300_000 });
const require = createRequire(import.meta.url);
const versionOf = (compiler: string): string => require(`${compiler}/package.json`).version;
const compilers = ['typescript-oldest', 'typescript', 'typescript-7'];
/** The compiler options of users, and whether their files are ES modules, CommonJS, or both. */
const esm = 'ES modules';
const cjs = 'CommonJS';
const node10 = { module: 'commonjs', moduleResolution: 'node10' };
const projects = [
  ...compilers.flatMap((compiler) => [
    { compiler, formats: [esm, cjs], options: { module: 'nodenext' } },
    { compiler, formats: [esm], options: { module: 'esnext', moduleResolution: 'bundler' } },
  ]),
  // TypeScript 7 has no node10.
  { compiler: 'typescript-oldest', formats: [cjs], options: node10 },
  { compiler: 'typescript', formats: [cjs], options: { ...node10, ignoreDeprecations: '6.0' } },
  { compiler: 'typescript', formats: [cjs], options: { module: 'commonjs' } },
  { compiler: 'typescript-7', formats: [cjs], options: { module: 'commonjs' } },
  { compiler: 'typescript-7', formats: [esm, cjs], options: { module: 'node20' } },
].map((project) => ({
  ...project,
  version: versionOf(project.compiler),
  title: `${project.formats.join(' and ')} with ${Object.values(project.options).join(', ')}`,
}));
/** The strictest settings of a user: the types of the packages are checked too, and there is no @types/node. */
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
};
/** As in docs/versioning.md: other entries need the types of the web. */
const entriesWithoutWeb = [
  '@memory-read/client/media-url',
  '@memory-read/client/search',
  '@memory-read/client/transcript',
  '@memory-read/contract',
  '@memory-read/contract/date-time',
  '@memory-read/contract/file-errors',
  '@memory-read/contract/program',
  '@memory-read/contract/fields',
  '@memory-read/contract/memory-state',
  '@memory-read/contract/operations',
  '@memory-read/contract/options',
  '@memory-read/contract/redaction',
  '@memory-read/contract/visible-text',
  '@memory-read/fixtures/showcase',
  '@memory-read/mirror/ids',
];
const entries = entriesOf(...publishedPackages).map(({ specifier }) => specifier);
// The types of the official SDK mention Buffer, so with them, users need @types/node or this option. The types of MSW do
// not support node10.
const ofSdk = /@memory-read\/(mcp(\/node)?|msw\/server)'/;
const ofSdkOrMsw = /@memory-read\/(mcp|msw)(\/node|\/browser|\/server)?'/;
const unchecked = { skipLibCheck: true };

const consumer = createConsumer();
const nodeTypes = join(consumer.folder, 'node_modules/@types/node');
/** The examples that need nothing but the packages. */
const examples = globSync('*.ts', { cwd: join(root, exampleFolder) })
  .map((name) => ({ name, text: readFileSync(join(root, exampleFolder, name), 'utf8') }))
  .filter(({ text }) => !/ from '(?!@memory-read\/)|'node:|import\.meta/.test(text));
write('commonjs/package.json', '{ "type": "commonjs" }');
const filesOf: Record<string, typeof examples> = {
  [esm]: [...examples, ...entries.map((entry) => ({ name: fileOf(entry), text: importOf(entry) }))],
  [cjs]: entries.map((entry) => ({ name: `commonjs/${fileOf(entry)}`, text: importOf(entry) })),
};
for (const { name, text } of Object.values(filesOf).flat()) write(name, text);
write('send-audio.ts', readFileSync(join(root, exampleFolder, 'send-audio.ts'), 'utf8'));
// The examples read their settings from the environment.
write('process.d.ts', 'declare const process: { env: Record<string, string | undefined>; exitCode?: number };');

test.each(projects)(
  'TypeScript $version accepts the packed types in $title, in examples and in full',
  async ({ compiler, formats, options }) => {
    const files = formats.flatMap((format) => filesOf[format] ?? []);
    const needing = 'moduleResolution' in options && options.moduleResolution === 'node10' ? ofSdkOrMsw : ofSdk;
    const namesOf = (wanted: boolean) =>
      files.filter(({ text }) => needing.test(text) === wanted).map(({ name }) => name);
    expect(namesOf(false).length).toBeGreaterThan(20);
    expect(await compile(compiler, ['process.d.ts', ...namesOf(false)], options)).toBe('');
    expect(await compile(compiler, ['process.d.ts', ...namesOf(true)], { ...options, ...unchecked })).toBe('');
    const withoutWeb = { ...options, lib: ['es2022'] };
    const named = files.filter(({ name }) => entriesWithoutWeb.map(fileOf).includes(basename(name)));
    expect(
      await compile(
        compiler,
        named.map(({ name }) => name),
        withoutWeb,
      ),
      'with only es2022',
    ).toBe('');
  },
);

test.each(entries.filter((entry) => !entriesWithoutWeb.includes(entry)))(
  'the packed types of %s need names of the web, and are not documented for only es2022',
  async (entry) => {
    const said = await compile('typescript-7', [fileOf(entry)], { module: 'nodenext', lib: ['es2022'] });
    expect(said).toMatch(/Cannot find name '(AbortSignal|Headers|ReadableStream|Request|Response|URL)'/);
  },
);

test.each(['node16', 'node18'])(
  'with module %s, CommonJS cannot import the packages, as documented',
  async (module) => {
    const said = await compile('typescript-7', filesOf[cjs]?.map(({ name }) => name) ?? [], { module, ...unchecked });
    expect(said.match(/ error TS1479: /g)).toHaveLength(entries.length);
  },
);

test('documents in docs/versioning.md the entries that need only es2022', () => {
  const [, told = ''] =
    /With `lib: \["es2022"\]` alone you can import([\s\S]*?)\. /.exec(
      readFileSync(join(root, 'docs/versioning.md'), 'utf8'),
    ) ?? [];
  expect(Array.from(told.matchAll(/`([^`]+)`/g), ([, entry]) => entry).sort()).toEqual([...entriesWithoutWeb].sort());
});

test('the packed types of the mock are accepted with the oldest MSW, which is typed for @types/node', async () => {
  consumer.replaceMsw('msw-2');
  expect(await compile('typescript', ['msw.ts', 'msw-browser.page.ts'], { module: 'nodenext', ...unchecked })).toBe('');
});

test('the packed types for mock.fetch are accepted without MSW', async () => {
  consumer.replaceMsw();
  expect(await compile('typescript', ['msw-fetch.ts'], { module: 'nodenext' })).toBe('');
});

test.each(['typescript-oldest', 'typescript-7'])(
  'with @types/node and without dom, %s accepts all entries but those for MSW and for media elements',
  async (compiler) => {
    if (!existsSync(nodeTypes)) consumer.link('@types/node');
    const ofNode = entries.filter((entry) => !/^@memory-read\/(msw(\/node|\/browser)?|client\/playback)$/.test(entry));
    expect(ofNode).toHaveLength(entries.length - 4);
    const options = { module: 'nodenext', lib: ['es2022'], types: ['node'] };
    expect(await compile(compiler, ofNode.map(fileOf), options)).toBe('');
  },
);

test.each([
  ['typescript-oldest', ['dom', 'dom.asynciterable']],
  ['typescript', ['dom']],
  ['typescript-7', ['dom']],
  ...compilers.map((compiler) => [compiler, []] as const),
] as const)(
  'with @types/node, %s accepts a pipeline from the body of openMedia, beside the types %j',
  async (compiler, web) => {
    if (!existsSync(nodeTypes)) consumer.link('@types/node');
    const options = { module: 'nodenext', lib: ['es2022', ...web], types: ['node'], ...unchecked };
    expect(await compile(compiler, ['send-audio.ts'], options)).toBe('');
  },
);

/** Returns the errors of this compiler for files of the project, or an empty text. */
async function compile(compiler: string, files: readonly string[], options: object): Promise<string> {
  const compilerOptions = { ...strictest, ...options };
  expect(existsSync(nodeTypes)).toBe((compilerOptions.types as string[]).includes('node'));
  const project = write(`${crypto.randomUUID()}.json`, JSON.stringify({ compilerOptions, files }));
  const program = join(dirname(require.resolve(`${compiler}/package.json`)), 'bin', 'tsc');
  return promisify(execFile)(process.execPath, [program, '-p', project]).then(
    () => '',
    ({ stdout }) => stdout,
  );
}

function write(name: string, text: string): string {
  const path = join(consumer.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function fileOf(entry: string): string {
  return `${entry.replace(/\W+/g, '-').slice(1)}.ts`;
}

function importOf(entry: string): string {
  const name = entry.replace(/\W+/g, '_');
  return `import * as ${name} from '${entry}';\nexport const used_${name} = ${name};`;
}
