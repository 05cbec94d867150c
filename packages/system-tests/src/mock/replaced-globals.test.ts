import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { listen } from '@memory-read/test-kit/listen';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { runRecipe } from '../docs/recipes/run-recipe.ts';

const require = createRequire(import.meta.url);
const folder = join(import.meta.dirname, 'replaced-globals');
const jest = [
  '--experimental-vm-modules',
  require.resolve('jest/bin/jest'),
  '--json',
  '--config',
  join(folder, 'jest.config.mjs'),
];
const vitest = [
  join(require.resolve('vitest/package.json'), '../vitest.mjs'),
  'run',
  '--root',
  folder,
  '--reporter=json',
];

const report = join(makeFolder(afterAll), 'report.json');
const received: string[] = [];
const api = await listen(({ url, headers }, response) => {
  received.push(`${url} ${headers['x-api-key']}`);
  response.end('[]');
});
afterAll(() => api[Symbol.asyncDispose]());
beforeEach(() => {
  received.length = 0;
});

interface Report {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
}

const inJest = "Pass doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] to jest.useFakeTimers,";
const inVitest = "Pass toFake: ['setTimeout', 'clearTimeout', 'Date'] to vi.useFakeTimers.";

test.each([
  ['Jest', [...jest, '--selectProjects', 'node'], inJest],
  ['Jest with jsdom', [...jest, '--selectProjects', 'jsdom'], inJest],
  ['Jest whose configuration replaces them', [...jest, '--selectProjects', 'globally'], inJest],
  ['Jest on MSW 2 (which does not need the globals)', [...jest, '--selectProjects', 'msw-2'], undefined],
  ['Vitest', vitest, inVitest],
])(
  'in %s, each test that sends a request while a global is replaced fails, and nothing leaves',
  async (_runner, args, advice) => {
    await runRecipe([...args, `--outputFile=${report}`], { REAL_API: api.url });
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(received).toEqual([]);
    const isRefused = (name: string) => advice !== undefined && name.includes('refused');
    expect(tests.map(({ fullName, status }) => `${fullName}: ${status}`)).toEqual(
      tests.map(({ fullName }) => `${fullName}: ${isRefused(fullName) ? 'failed' : 'passed'}`),
    );
    const refused = tests.filter(({ fullName }) => isRefused(fullName));
    expect(tests.length).toBeGreaterThan(refused.length);
    const reason =
      'Failed to mock a request: (process\\.nextTick|queueMicrotask|setImmediate) is replaced, and MSW needs the real one. ';
    for (const { failureMessages } of refused) {
      expect(failureMessages.at(-1)).toMatch(new RegExp(`^Error: ${reason}`));
      expect(failureMessages.at(-1)).toContain(advice);
    }
  },
);
