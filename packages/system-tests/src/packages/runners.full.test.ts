import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runRecipe } from '../docs/recipes/run-recipe.ts';
import { findNode24, findOldestNode } from '../runtimes/find-runtime.ts';
import { createConsumer } from './create-consumer.ts';

const require = createRequire(import.meta.url);
const node = { version: process.versions.node, path: process.execPath };
const consumer = createConsumer();
consumer.link('vitest');
for (const file of ['vitest.test.mjs', 'jest.test.mjs', 'jest.test.cjs']) consumer.add(file);

test('a project with Vitest needs no setting for the packed packages', async () => {
  const vitest = join(consumer.folder, 'node_modules', 'vitest', 'vitest.mjs');
  const run = await runRecipe([vitest, 'run', '--root', consumer.folder, 'vitest.test.mjs']);
  expect(run).toEqual({ status: 0, output: expect.stringMatching(/Tests\s+1 passed/) });
});

for (const { version, path } of [node, findNode24(), findOldestNode()]) {
  test.runIf(path)(`a project with Jest in ES modules works with the packed packages on Node ${version}`, async () => {
    expect(await runJest(path, 'jest.test.mjs')).toEqual({ status: 0, output: onePassed });
  });
}

for (const { version, path } of [node, findNode24()]) {
  test.runIf(path)(`a project with Jest in CommonJS works with the packed packages on Node ${version}`, async () => {
    expect(await runJest(path, 'jest.test.cjs')).toEqual({ status: 0, output: onePassed });
  });
}

const { path: oldestNode } = findOldestNode();
test.runIf(oldestNode)('on Node 22 the guide is still right: Jest cannot require ES modules there', async () => {
  const run = await runJest(oldestNode, 'jest.test.cjs');
  expect(run).toEqual({ status: 1, output: expect.stringContaining('Must use import to load ES Module') });
});

const onePassed = expect.stringContaining('Tests:       1 passed, 1 total');

function runJest(path: string | undefined, file: string) {
  const jest = require.resolve('jest/bin/jest');
  const options = ['--rootDir', consumer.folder, '--testMatch', `**/${file}`, '--no-cache'];
  return runRecipe(['--experimental-vm-modules', jest, ...options], {}, path);
}
