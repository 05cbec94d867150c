import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type CliResult, ownEnvironment, type ReadyServe, type RunOptions, serveArguments } from './run-cli.ts';

/** The command line in a process of its own, which ends with its test. */
export interface SpawnedCli {
  child: ChildProcessWithoutNullStreams;
  /** Standard error so far. */
  printed(): string;
  result: Promise<CliResult>;
}

interface SpawnOptions extends RunOptions {
  nodeArguments?: readonly string[] | undefined;
  /** Path of the file that standard output is written to. */
  output?: string | undefined;
  /** Limit of open files. */
  openFiles?: number | undefined;
  /** If false, the standard error of the command is not read. */
  readStderr?: boolean | undefined;
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * Starts the command line in a process of its own, with an open standard input.
 *
 * Use it for what only a process has: files and pipes as streams, signals, a locale, a time zone, and its memory.
 */
export function spawnCli(
  args: readonly string[],
  { cwd, env, output, openFiles, nodeArguments = [], readStderr = true }: SpawnOptions = {},
): SpawnedCli {
  const limit = openFiles === undefined ? [] : ['sh', '-c', 'ulimit -n "$0"; exec "$@"', String(openFiles)];
  const lead = [...limit, ...(output === undefined ? [] : ['sh', '-c', 'exec "$@" > "$0"', output])];
  const node = [process.execPath, ...nodeArguments, '--conditions=@memory-read/source', main];
  const [command = '', ...commandArguments] = [...lead, ...node, ...args];
  const child = spawn(command, commandArguments, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...ownEnvironment(), ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  return { child, ...outputOf(child, readStderr) };
}

/** Starts `serve` in a process of its own on a free port, and waits for its ready line. */
export async function spawnServe(
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<SpawnedCli & ReadyServe> {
  const spawned = spawnCli([...serveArguments, ...args], options);
  const [ready] = await once(createInterface({ input: spawned.child.stdout }), 'line');
  return { ...spawned, ...JSON.parse(ready) };
}

function outputOf(child: ChildProcessWithoutNullStreams, readStderr: boolean): Omit<SpawnedCli, 'child'> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
  if (readStderr) child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
  const result = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return { printed: () => stderr, result };
}
