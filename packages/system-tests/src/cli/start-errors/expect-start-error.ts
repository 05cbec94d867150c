import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { root } from '../../repository.ts';

/** What must not come back, wherever it was passed. */
const secret = 'hush';

/** A command that cannot start, and what it says. */
export interface StartError {
  args: readonly string[];
  code: 1 | 2;
  /** What stands behind `Failed to `. */
  says: string;
  env?: Record<string, string> | undefined;
}

/** Runs the built command to its end, and expects it to fail in one line of the right form. */
export async function expectStartError({ args, code, says, env }: StartError, cwd: string): Promise<void> {
  const { stdout, stderr, code: ended } = await run(args, { cwd, env });
  expect(stderr).toMatch(/^Failed to [^\n]+?: because [^\n]+?\. [A-Z][^\n]+\.\n$/);
  expect(stderr).toContain(`Failed to ${says}`);
  expect(stderr).not.toContain(secret);
  expect([ended, stdout]).toEqual([code, '']);
}

/** What the command says of itself. */
export async function helpOf(command: readonly string[]): Promise<string> {
  return (await run([...command, '--help'], { cwd: root })).stdout;
}

async function run(args: readonly string[], { cwd, env }: { cwd: string; env?: StartError['env'] }) {
  const main = join(root, 'packages', 'cli', 'dist', 'main.js');
  // Nothing of the surroundings: they may hold credentials, and a configuration.
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { PATH, HOME: cwd, ...env } });
  child.stdin.on('error', () => {}).end();
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code };
}
