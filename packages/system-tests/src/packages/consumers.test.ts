import { expect, test } from 'vitest';
import { findOldestNode, findOldestSearchingNode } from '../runtimes/find-runtime.ts';
import { compile, versionOf } from './compile.ts';
import { createConsumer } from './create-consumer.ts';
import { run } from './run.ts';

const consumer = createConsumer();

const nodes = [{ version: process.versions.node, path: process.execPath }, findOldestNode()];

for (const { version, path } of nodes) {
  const testOnNode = test.runIf(path);

  testOnNode(`a project in ES modules works with the packed packages on Node v${version}`, () => {
    expect(runHere(path, '--version').trim()).toBe(`v${version}`);
    expect(runHere(path, consumer.add('consumer.mjs'))).toContain('esm works');
  });

  testOnNode(`both stores keep the rules of the published suites on Node v${version}`, () => {
    expect(runHere(path, consumer.add('store-suites.mjs'))).toMatch(/^[1-9]\d+ cases passed$/m);
  });

  testOnNode(`a project in CommonJS works with the packed packages on Node v${version}`, () => {
    expect(runHere(path, consumer.add('consumer.cjs'))).toContain('cjs works');
  });
}

const searchingNodes = [{ version: process.versions.node, path: process.execPath }, findOldestSearchingNode()];

for (const { version, path } of searchingNodes) {
  test.runIf(path)(`the packed mirror syncs, searches, writes pages and purges on Node v${version}`, () => {
    expect(runHere(path, '--version').trim()).toBe(`v${version}`);
    expect(runHere(path, consumer.add('mirror.mjs'))).toContain('the mirror works');
  });
}

for (const { version, path } of searchingNodes) {
  test.runIf(path)(`the packed program serves its tools on the API and on a mirror, on Node v${version}`, () => {
    expect(runHere(path, consumer.add('mcp.mjs'))).toContain('the tools work');
  });
}

const { path: oldest, version: versionOfOldest } = findOldestNode();
test.runIf(oldest)(
  `on Node v${versionOfOldest}, the packed mirror names the Node that it needs, and makes nothing`,
  () => {
    expect(runHere(oldest, consumer.add('mirror.mjs')).trim()).toBe(
      'unsupported_runtime: Failed to open the mirror: SQLite of this runtime has no full-text search (FTS5). Use Node 22.16 or newer.',
    );
  },
);

const version = versionOf('typescript');
const settings = [
  { file: 'consumer.ts', as: 'an ES module', module: 'nodenext', moduleResolution: 'nodenext' },
  { file: 'consumer.ts', as: 'a bundled module', module: 'esnext', moduleResolution: 'bundler' },
];

test.each(settings)(
  `TypeScript ${version} accepts the packed types as $as, without @types/node`,
  ({ file, module, moduleResolution }) => {
    expect(compile(consumer, 'typescript', consumerFile(file), { module, moduleResolution })).toBe('');
  },
);
// The types of the official SDK mention Buffer.
test(`TypeScript ${version} accepts the packed types of the server for assistants`, () => {
  expect(compile(consumer, 'typescript', consumerFile('mcp.ts'), { module: 'nodenext', skipLibCheck: true })).toBe('');
});
test(`TypeScript ${version} accepts the packed types of the mock`, () => {
  expect(compile(consumer, 'typescript', consumerFile('mock.ts'), { module: 'nodenext' })).toBe('');
});

test('the packed mock works with the oldest MSW that it allows, which is typed for @types/node', () => {
  consumer.replacePeer({ owner: 'msw', name: 'msw', by: 'msw-2' });
  expect(runHere(process.execPath, consumer.add('consumer.mjs'))).toContain('esm works');
  expect(compile(consumer, 'typescript', consumerFile('mock.ts'), { module: 'nodenext', skipLibCheck: true })).toBe('');
});

test('without MSW, the packed entry for mock.fetch runs and its types are accepted', () => {
  consumer.replacePeer({ owner: 'msw', name: 'msw' });
  expect(runHere(process.execPath, consumer.add('mock-fetch.mjs'))).toContain('mock.fetch works');
  expect(compile(consumer, 'typescript', consumerFile('mock-fetch.ts'), { module: 'nodenext' })).toBe('');
});

function consumerFile(file: string): string {
  consumer.add(file);
  return file;
}

function runHere(program = '', ...args: string[]): string {
  return run(program, args, { cwd: consumer.folder });
}
