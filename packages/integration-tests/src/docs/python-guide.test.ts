import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startMockServer } from '@memory-read/msw/server';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { exampleFolder } from './examples.ts';

test.runIf(isInstalled('pytest'))('the tests of the guide for Python pass, and close their spaces', async () => {
  await using server = await startMockServer({ control: {} });
  const { stdout } = await promisify(execFile)('pytest', ['-q', '-p', 'no:cacheprovider'], {
    cwd: join(root, exampleFolder, 'python'),
    env: { ...process.env, MOCK_CONTROL_URL: server.controlUrl ?? '', PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect(stdout).toContain('4 passed');
  expect(server.spaces()).toHaveLength(1);
});
