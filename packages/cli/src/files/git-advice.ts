import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import type { CliProcess } from '../terminal/cli-process.ts';

/** Returns what to do about a new file that git would commit; undefined if it ignores it, or if there is no repository. */
export function gitAdvice({ env }: CliProcess, path: string): string | undefined {
  // A setting of the repository must not start a program.
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', '--no-index', '--', path];
  const { status } = spawnSync('git', args, { cwd: dirname(path), env, stdio: 'ignore' });
  if (status !== 1) return undefined;
  return `Git does not ignore ${path}. Name the files of memory-read in .gitignore, so that no memories are committed.`;
}
