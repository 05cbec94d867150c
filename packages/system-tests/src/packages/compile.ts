import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Consumer } from './create-consumer.ts';

const require = createRequire(import.meta.url);

/** The strictest settings of a user: the types of the packages are checked too, and there is no @types/node. */
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [] as string[],
};

/** Returns the errors of this version of the compiler for a file of the consumer, or an empty text. */
export function compile(
  consumer: Consumer,
  compiler: string,
  file: string,
  options: Partial<typeof strictest> | object,
) {
  const compilerOptions = { ...strictest, ...options };
  const project = consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
  const hasNodeTypes = existsSync(join(consumer.folder, 'node_modules/@types/node'));
  expect(hasNodeTypes).toBe(compilerOptions.types.includes('node'));
  const program = join(dirname(require.resolve(`${compiler}/package.json`)), 'bin', 'tsc');
  try {
    return execFileSync(process.execPath, [program, '-p', project], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

/** The version of a compiler that this package depends on. */
export function versionOf(compiler: string): string {
  return require(`${compiler}/package.json`).version;
}
