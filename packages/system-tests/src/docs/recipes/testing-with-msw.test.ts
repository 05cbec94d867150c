import { createRequire } from 'node:module';
import { join } from 'node:path';
import { exampleFolder } from '@memory-read/integration-tests/docs/examples';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { runRecipe } from './run-recipe.ts';

const require = createRequire(import.meta.url);

test.concurrent('the recipe for node:test passes', async () => {
  const file = join(root, exampleFolder, 'msw-node-test.node.ts');
  const run = await runRecipe(['--conditions=@memory-read/source', '--test', '--test-reporter=tap', file]);
  expect(run).toEqual({ status: 0, output: expect.stringContaining('# pass 2\n# fail 0') });
});

test.concurrent('the recipes for Jest pass, in Node and in jsdom', async () => {
  const config = join(import.meta.dirname, 'jest', 'jest.config.mjs');
  const program = require.resolve('jest/bin/jest');
  const run = await runRecipe(['--experimental-vm-modules', program, '--config', config, '--no-cache']);
  expect(run).toEqual({ status: 0, output: expect.stringContaining('Tests:       4 passed, 4 total') });
});
