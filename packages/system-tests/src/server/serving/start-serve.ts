import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../repository.ts';

/** A `memory-read serve` of its own process, as built. */
export interface ServeProcess {
  baseUrl: string;
  apiKey: string;
  child: ChildProcess;
  close(): Promise<void>;
}

interface StartOptions {
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  /** Where its standard error goes; shown by default. */
  stderr?: 'inherit' | 'ignore' | undefined;
}

/** Starts the built command on a free port, and waits for its ready line. Requests are not logged unless the arguments say so. */
export async function startServe(args: readonly string[], options: StartOptions = {}): Promise<ServeProcess> {
  const main = join(root, 'packages', 'cli', 'dist', 'main.js');
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--log', 'none', ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', options.stderr ?? 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line'), ended]);
  if (typeof line[0] !== 'string') throw new Error(`Failed to start memory-read: because it ended with ${line[0]}.`);
  return {
    ...JSON.parse(line[0]),
    child,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
