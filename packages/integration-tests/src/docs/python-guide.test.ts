import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startMockServer } from '@memory-read/msw/server';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { exampleFolder } from './examples.ts';

const hasPytest = isInstalled('pytest');

test.runIf(hasPytest)('the tests of the guide for Python pass, and close their spaces', async () => {
  await using server = await startMockServer({ control: {} });
  expect(await runPytest(server.controlUrl)).toContain('4 passed');
  expect(server.spaces()).toHaveLength(1);
});

test.runIf(hasPytest)('without a mock, the tests for Python fail with one line that says how to start it', async () => {
  const server = await startMockServer({ control: {} });
  await server.close();
  const { stdout } = await runPytest(server.controlUrl, '-x').catch((error) => error);
  const line = `Failed to reach the mock at ${server.controlUrl}. Start it: npx @memory-read/cli mock --control-port 8791`;
  expect(stdout.split('\n')).toContain(line);
  expect(stdout).not.toContain('Traceback');
});

async function runPytest(controlUrl: string | null, ...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('pytest', ['-q', '-p', 'no:cacheprovider', ...options], {
    cwd: join(root, exampleFolder, 'python'),
    env: { ...process.env, MOCK_CONTROL_URL: String(controlUrl), PYTHONDONTWRITEBYTECODE: '1' },
  });
  return stdout;
}
