import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '@memory-read/test-kit/repository';

/** A `memory-read serve` in its own process. */
export interface ServeProcess {
  baseUrl: string;
  apiKey: string;
  metricsUrl?: string;
  child: ChildProcessWithoutNullStreams;
  /** Its exit code, as soon as it has ended. */
  ended: Promise<number | null>;
  close(): Promise<void>;
}

interface CommandOptions {
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  /** Limit of open files. */
  openFiles?: number | undefined;
}

interface StartOptions extends CommandOptions {
  /** Target of its standard error, which is shown by default. */
  stderr?: 'ignore' | undefined;
}

/** Starts the built command. */
export function spawnCommand(
  args: readonly string[],
  { cwd, env, openFiles }: CommandOptions,
): ChildProcessWithoutNullStreams {
  const main = join(root, 'packages', 'cli', 'dist', 'main.js');
  const limit = openFiles === undefined ? [] : ['sh', '-c', 'ulimit -n "$0"; exec "$@"', String(openFiles)];
  const [command = '', ...words] = [...limit, process.execPath, main, ...args];
  return spawn(command, words, { cwd, env: { ...process.env, ...env } });
}

/** Starts `serve` on a free port, and waits for its ready line. Requests are not logged unless the arguments say so. */
export function startServe(args: readonly string[], { stderr, ...options }: StartOptions = {}): Promise<ServeProcess> {
  const child = spawnCommand(['serve', '--port', '0', '--log', 'none', ...args], options);
  if (stderr === 'ignore') child.stderr.resume();
  else child.stderr.pipe(process.stderr);
  return untilReady(child);
}

/** Waits for the ready line of a `serve`. */
export async function untilReady(child: ChildProcessWithoutNullStreams): Promise<ServeProcess> {
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (!Array.isArray(line)) throw new Error(`Failed to start memory-read: it ended with ${line}. See what it printed.`);
  return {
    ...JSON.parse(line[0]),
    child,
    ended,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Returns the memory that it uses now, or its peak. */
export function megabytesOf({ child }: { child: ChildProcess }, measure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${measure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}
