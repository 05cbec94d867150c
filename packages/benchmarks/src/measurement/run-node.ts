import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The folder of this package, from where its dependencies are found. */
export const packageFolder = fileURLToPath(new URL('../../', import.meta.url));

/** The built `memory-read`. */
export const cli = createRequire(import.meta.url)
  .resolve('@memory-read/cli/package.json')
  .replace('package.json', 'dist/main.js');

/**
 * Milliseconds from the start of a Node process to its end.
 *
 * @throws Error where it fails: a process that ends early is not fast.
 */
export function timeNode(args: readonly string[], environment: Record<string, string> = {}): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: packageFolder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const elapsed = performance.now() - start;
  if (status === 0) return elapsed;
  throw new Error(`Failed to run node ${args.join(' ')}: it ended with ${status}. See its output: ${stderr}`);
}

/** Runs a program of `programs/` in a process of its own, and returns what it printed as JSON. */
export function runProgram<Result>(
  name: string,
  args: readonly (string | number)[],
  flags: readonly string[] = [],
): Result {
  const program = fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', ...flags, program, ...args.map(String)], { encoding: 'utf8' }),
  );
}
