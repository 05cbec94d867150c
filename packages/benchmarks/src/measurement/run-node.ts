import { spawnSync } from 'node:child_process';
import { packageFolder } from './package-folder.ts';

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
