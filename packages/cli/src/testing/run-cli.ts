import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';

/** Result of a command. */
export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command, which ends with its test. */
export interface RunningCli {
  child: ChildProcessWithoutNullStreams;
  result: Promise<CliResult>;
}

/** A running server. */
export interface RunningServe extends RunningCli {
  baseUrl: string;
  apiKey: string;
  processingMemoryId: string;
}

interface SpawnOptions {
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  nodeArguments?: readonly string[] | undefined;
  /** Path of the file that standard output is written to. */
  output?: string | undefined;
  /** If false, the standard error of the command is not read. */
  readStderr?: boolean | undefined;
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

const home = mkdtempSync(join(tmpdir(), 'memory-read-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

// The configuration and the variables of the developer must not affect the tests.
const ownPlaces = {
  HOME: home,
  XDG_CONFIG_HOME: '',
  MEMORY_API_URL: '',
  MEMORY_API_KEY: '',
  MEMORY_PROFILE: '',
  MEMORY_READ_MIRROR: '',
  MEMORY_READ_PAGER: '',
  COLUMNS: '',
  TZ: 'UTC',
};

/** Starts the command line from its sources. */
export function startCli(
  args: readonly string[],
  { cwd, env, output, nodeArguments = [], readStderr = true }: SpawnOptions = {},
): RunningCli {
  const lead = output === undefined ? [] : ['sh', '-c', 'exec "$@" > "$0"', output];
  const node = [process.execPath, ...nodeArguments, '--conditions=@memory-read/source', main];
  const [command = '', ...commandArguments] = [...lead, ...node, ...args];
  const child = spawn(command, commandArguments, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '', ...ownPlaces, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  return { child, result: resultOf(child, readStderr) };
}

/** Runs the command line and waits until it ends. */
export function runCli(
  args: readonly string[],
  { input, ...options }: SpawnOptions & { input?: string | Uint8Array | undefined } = {},
): Promise<CliResult> {
  const { child, result } = startCli(args, options);
  child.stdin.end(input);
  return result;
}

/** Starts `serve` on a free port, and waits for its ready line. Requests are not logged unless the arguments say so. */
export async function startServe(args: readonly string[], options: SpawnOptions = {}): Promise<RunningServe> {
  return untilReady(startCli(['serve', '--port', '0', '--log', 'none', ...args], options));
}

/** Waits for the ready line of a `serve` that has just been started. */
export async function untilReady(running: RunningCli): Promise<RunningServe> {
  const ready = await Promise.race([firstLine(running.child), running.result]);
  if (typeof ready !== 'string') throw new Error(`serve ended with ${ready.code}: ${ready.stderr}`);
  return { ...running, ...JSON.parse(ready) };
}

/** Creates an empty folder, which is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'memory-read-cli-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function resultOf(child: ChildProcessWithoutNullStreams, readStderr: boolean): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
  if (readStderr) child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

function firstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('\n')) resolve(output.slice(0, output.indexOf('\n')));
    });
  });
}
