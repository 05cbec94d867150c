import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishedPackages, tarballOf } from './packed-packages.ts';

const binaries = join(import.meta.dirname, '../../node_modules/.bin');

test.each(publishedPackages)('publint finds nothing in the packed %s', (name) => {
  expect(run('publint', 'run', tarballOf(name), '--strict')).toContain('All good');
});

// The cli has no entry to import types from.
test.each(publishedPackages.filter((name) => name !== 'cli'))(
  'the types of the packed %s are right for every importer',
  (name) => {
    expect(
      run('attw', tarballOf(name), '--profile', 'esm-only', '--exclude-entrypoints', './openapi.json', './arazzo.yaml'),
    ).not.toContain('❌');
  },
);

function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(join(binaries, program), args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}
