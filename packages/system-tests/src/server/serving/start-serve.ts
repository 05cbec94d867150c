import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '@memory-read/test-kit/repository';

/** A `memory-read serve` in its own process. */
export interface ServeProcess {
  baseUrl: string;
  apiKey: string;
  child: ChildProcessWithoutNullStreams;
  close(): Promise<void>;
}

interface CommandOptions {
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  /** Default: the built command. */
  isFromSources?: boolean | undefined;
}

interface StartOptions extends CommandOptions {
  /** Target of its standard error, which is shown by default. */
  stderr?: 'ignore' | undefined;
}

/** Starts the command. */
export function spawnCommand(
  args: readonly string[],
  { cwd, env, isFromSources }: CommandOptions,
): ChildProcessWithoutNullStreams {
  const program = isFromSources ? ['--conditions=@memory-read/source', 'src/main.ts'] : ['dist/main.js'];
  const main = join(root, 'packages', 'cli', program.pop() ?? '');
  return spawn(process.execPath, [...program, main, ...args], { cwd, env: { ...process.env, ...env } });
}

/** Starts `serve` on a free port, and waits for its ready line. Requests are not logged unless the arguments say so. */
export async function startServe(args: readonly string[], options: StartOptions = {}): Promise<ServeProcess> {
  const child = spawnCommand(['serve', '--port', '0', '--log', 'none', ...args], options);
  if (options.stderr === 'ignore') child.stderr.resume();
  else child.stderr.pipe(process.stderr);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line'), ended]);
  if (typeof line[0] !== 'string')
    throw new Error(`Failed to start memory-read: it ended with ${line[0]}. See what it printed.`);
  return {
    ...JSON.parse(line[0]),
    child,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Returns the memory that it uses now, or its peak. */
export function megabytesOf({ child }: ServeProcess, measure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${measure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}
