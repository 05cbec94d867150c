import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { ListedMemory } from '@memory-read/contract';
import { makeFolder as temporaryDirectory } from '@memory-read/test-kit/make-folder';
import { expect, onTestFinished } from 'vitest';
import { runProgram } from '../program.ts';
import type { EndSignal } from '../terminal/cli-process.ts';
import { type TestOutput, TestProcess } from './test-process.ts';

export { temporaryDirectory };

/** Result of a command. */
export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command, which ends with its test. */
export interface RunningCli {
  process: TestProcess;
  result: Promise<CliResult>;
  /** Sends a signal. */
  interrupt(signal: EndSignal): void;
}

/** What `serve` prints when it is ready. */
export interface ReadyServe {
  baseUrl: string;
  apiKey: string;
  processingMemoryId: string;
}

export interface RunningServe extends RunningCli, ReadyServe {
  /** Environment of a command that reads from the server. */
  env: Record<'MEMORY_API_URL' | 'MEMORY_API_KEY', string>;
}

export interface RunOptions {
  /** Current folder until the command ends. */
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  /** Streams that are terminals, with what else is known of them. */
  terminal?: Partial<Record<'stdout' | 'stderr', Pick<TestOutput, 'columns' | 'rows'>>> | undefined;
  platform?: NodeJS.Platform | undefined;
}

let home: string | undefined;

/** Returns variables that hide the configuration and the variables of the developer. Each test has a home of its own. */
export function ownEnvironment(): Record<string, string> {
  if (home === undefined) {
    home = temporaryDirectory();
    onTestFinished(() => {
      home = undefined;
    });
  }
  return {
    HOME: home,
    XDG_CONFIG_HOME: '',
    MEMORY_API_URL: '',
    MEMORY_API_KEY: '',
    MEMORY_PROFILE: '',
    MEMORY_READ_MIRROR: '',
    MEMORY_READ_PAGER: '',
    MEMORY_READ_BROWSER: '',
    COLUMNS: '',
    TZ: 'UTC',
    NO_COLOR: '1',
  };
}

const folder = process.cwd();

/** Starts the command line in the process of the test. */
export function startCli(args: readonly string[], { cwd, env, terminal = {}, platform }: RunOptions = {}): RunningCli {
  const running = new TestProcess({ args, env: { ...ownEnvironment(), ...env }, ...(platform && { platform }) });
  for (const name of ['stdout', 'stderr'] as const)
    if (terminal[name]) Object.assign(running[name], { isTTY: true, ...terminal[name] });
  if (cwd !== undefined) process.chdir(cwd);
  const result = resultOf(running).finally(() => {
    running.removeAllListeners();
    if (cwd !== undefined) process.chdir(folder);
  });
  const interrupt = (signal: EndSignal) => void running.emit(signal);
  onTestFinished(async () => {
    running.stdin.destroy();
    interrupt('SIGTERM');
    const { stdout, stderr } = await result;
    // Node would not have printed anything else.
    expect({ stdout: running.stdout.text, stderr: running.stderr.text }).toEqual({ stdout, stderr });
  });
  return { process: running, result, interrupt };
}

/** Runs the command line in the process of the test, and waits until it ends. */
export function runCli(
  args: readonly string[],
  { input, ...options }: RunOptions & { input?: string | Uint8Array | undefined } = {},
): Promise<CliResult> {
  const running = startCli(args, options);
  running.process.stdin.end(input);
  return running.result;
}

/** Waits until a command ends with this code, prints nothing but this error, and returns the error. */
export async function expectFailure(
  running: Promise<CliResult>,
  code: number,
  error: string | RegExp,
): Promise<string> {
  const result = await running;
  const stderr = typeof error === 'string' ? error : expect.stringMatching(error);
  expect(result).toEqual({ code, stdout: '', stderr });
  return result.stderr;
}

/** Arguments of a server on a free port, which logs no requests by default. */
export const serveArguments = ['serve', '--port', '0', '--log', 'none'];

/** Starts `serve` on a free port, and waits for its ready line. Requests are not logged unless the arguments say so. */
export async function startServe(args: readonly string[], options: RunOptions = {}): Promise<RunningServe> {
  return untilReady(startCli([...serveArguments, ...args], options));
}

/** Starts a server with the memories of the demo, which nothing is stored of. */
export async function startDemo(...args: string[]) {
  const server = await startServe(['--demo', '--in-memory', ...args]);
  return { ...server, memories: await memoriesOf(server) };
}

export async function memoriesOf({ baseUrl, apiKey }: ReadyServe): Promise<ListedMemory[]> {
  const response = await fetch(`${baseUrl}/v1/memories`, { headers: { authorization: `Bearer ${apiKey}` } });
  return response.json();
}

/** Waits for the ready line of a `serve` that has just been started. */
export async function untilReady(running: RunningCli): Promise<RunningServe> {
  const { stdout } = running.process;
  const ended = await Promise.race([once(stdout, 'text'), running.result]);
  if ('code' in ended) throw new Error(`serve ended with ${ended.code}: ${ended.stderr}`);
  const ready: ReadyServe = JSON.parse(stdout.text);
  return { ...running, ...ready, env: { MEMORY_API_URL: ready.baseUrl, MEMORY_API_KEY: ready.apiKey } };
}

/** Runs a command while a function of `node:fs` does something else. */
export async function withFunction<Name extends keyof typeof fs, Result>(
  name: Name,
  replacement: (typeof fs)[Name],
  run: () => Promise<Result>,
): Promise<Result> {
  const original = fs[name];
  fs[name] = replacement;
  syncBuiltinESMExports();
  try {
    return await run();
  } finally {
    fs[name] = original;
    syncBuiltinESMExports();
  }
}

export function failing(code: string) {
  return (): never => {
    throw Object.assign(new Error(code), { code, syscall: 'test' });
  };
}

async function resultOf(running: TestProcess): Promise<CliResult> {
  await Promise.race([runProgram(running), once(running, 'exit')]);
  return { code: running.exitCode ?? 0, stdout: running.stdout.text, stderr: running.stderr.text };
}
