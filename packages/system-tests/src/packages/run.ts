import { execFileSync } from 'node:child_process';

/** Runs a program to its end, and returns its output. If it fails, the error contains the output. */
export function run(program: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  try {
    return execFileSync(program, args, { ...options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`Failed to run ${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  }
}
