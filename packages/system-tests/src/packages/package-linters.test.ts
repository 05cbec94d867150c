import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publishedPackages, tarballOf } from './packed-packages.ts';
import { run } from './run.ts';

const binaries = join(import.meta.dirname, '../../node_modules/.bin');

test.each(publishedPackages)('publint finds no problem in the packed %s', (name) => {
  expect(lint('publint', 'run', tarballOf(name), '--strict')).toContain('All good');
});

// The cli has no entry with types.
test.each(publishedPackages.filter((name) => name !== 'cli'))(
  'the types of the packed %s are correct for every importer',
  (name) => {
    expect(
      lint(
        'attw',
        tarballOf(name),
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        './openapi.json',
        './arazzo.yaml',
      ),
    ).not.toContain('❌');
  },
);

function lint(program: string, ...args: string[]): string {
  return run(join(binaries, program), args, { env: { ...process.env, NO_COLOR: '1' } });
}
