import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { exampleFolder } from '@memory-read/integration-tests/docs/examples';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { createConsumer } from '../../packages/create-consumer.ts';
import { findNode24, findOldestNode } from '../../runtimes/find-runtime.ts';
import { runRecipe } from './run-recipe.ts';

const require = createRequire(import.meta.url);

// The recipes of the guide run in a project with the packed packages, as users run them.
const consumer = createConsumer();
const { folder } = consumer;
for (const name of ['vitest', '@jest/globals', 'jest-environment-jsdom']) consumer.link(name);
for (const file of ['msw-vitest.test.ts', 'msw-node-test.node.ts'])
  cpSync(join(root, exampleFolder, file), join(folder, file));
cpSync(join(import.meta.dirname, 'jest'), folder, { recursive: true });

const newest = { version: process.versions.node, path: process.execPath };
const vitest = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, 'msw-vitest.test.ts'];
const jest = [
  '--experimental-vm-modules',
  require.resolve('jest/bin/jest'),
  '--no-cache',
  '--config',
  join(folder, 'jest.config.mjs'),
  '--selectProjects',
];

const runs = [
  { runner: 'Vitest', args: vitest, nodes: [newest], says: /Tests\s+1 passed/ },
  { runner: 'node:test', args: ['--test', join(folder, 'msw-node-test.node.ts')], nodes: [newest], says: /pass 2\n/ },
  { runner: 'Jest', args: [...jest, 'node'], nodes: [newest, findNode24(), findOldestNode()], says: jestPassed(2) },
  { runner: 'Jest with jsdom', args: [...jest, 'jsdom'], nodes: [newest], says: jestPassed(2) },
  { runner: 'Jest in CommonJS', args: [...jest, 'commonjs'], nodes: [newest, findNode24()], says: jestPassed(2) },
  { runner: 'Jest in ES modules', args: [...jest, 'esm'], nodes: [newest, findOldestNode()], says: jestPassed(2) },
];

for (const { runner, args, nodes, says } of runs) {
  for (const { version, path } of nodes) {
    test.runIf(path)(`the recipe for ${runner} passes with the packed packages on Node ${version}`, async () => {
      expect(await runRecipe(args, {}, path)).toEqual({ status: 0, output: expect.stringMatching(says) });
    });
  }
}

const { path: oldestNode } = findOldestNode();
test.runIf(oldestNode)('on Node 22 the guide is still right: Jest cannot require ES modules there', async () => {
  const run = await runRecipe([...jest, 'commonjs'], {}, oldestNode);
  expect(run).toEqual({ status: 1, output: expect.stringContaining('Must use import to load ES Module') });
});

function jestPassed(count: number): RegExp {
  return new RegExp(`Tests: +${count} passed, ${count} total`);
}
