import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { root } from '@memory-read/test-kit/repository';
import { onTestFinished } from 'vitest';

/** Environment and terminal of a command. */
export interface RunOptions {
  env?: Record<string, string> | undefined;
  /** Columns of the terminal. */
  columns?: number | undefined;
  nodeArguments?: readonly string[] | undefined;
  cwd?: string | undefined;
}

/** Environment of a command without a terminal. */
export interface StartOptions extends RunOptions {
  /** Octal; by default that of the tests. */
  umask?: string | undefined;
}

/** A command in a pseudo-terminal. It ends with its test. */
export interface TerminalCommand {
  /** Returns everything that the terminal has shown so far. */
  shown(): string;
  /** Resolves when the terminal has shown this text, after the last `after`. Rejects if the command ends before. */
  until(text: string, after?: string): Promise<void>;
  type(keys: string): void;
  resize(columns: number): void;
  /** Exit code, after the command has ended. */
  ended: Promise<number>;
}

/** Names of options of the client, which a message of a command must not contain. */
export const wordsOfCode = /validation|maxWait|totalTimeout|Raise|apiKey|allowInsecure|auth:/;

const main = join(root, 'packages', 'cli', 'dist', 'main.js');

/** Starts the built command in a terminal of 80 columns, or a line of bash in which `"$@"` is the command. */
export function runInTerminal(
  args: readonly string[],
  { shell, ...options }: RunOptions & { shell?: string | undefined } = {},
): TerminalCommand {
  const lead = shell === undefined ? [] : ['bash', '-c', shell, 'bash'];
  return startTerminal([...lead, process.execPath, main, ...args], options);
}

/** Starts a program in a terminal of 80 columns. */
export function startTerminal(
  [program = '', ...words]: readonly string[],
  { columns = 80, cwd, env }: Pick<RunOptions, 'columns' | 'cwd' | 'env'> = {},
): TerminalCommand {
  const terminal = spawnInTerminal(program, words, {
    cols: columns,
    rows: 40,
    ...(cwd !== undefined && { cwd }),
    env: surroundings({ env }),
  });
  let output = '';
  const waiting = new Set<() => void>();
  const tell = () => {
    for (const check of waiting) check();
  };
  terminal.onData((data) => {
    output += data;
    tell();
  });
  let hasEnded = false;
  const ended = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      tell();
      resolve(signal ? 128 + signal : exitCode);
    });
  });
  onTestFinished(() => {
    if (!hasEnded) terminal.kill('SIGKILL');
  });
  const until = (awaited: string, after?: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        const from = after === undefined ? 0 : output.lastIndexOf(after);
        const isShown = from >= 0 && output.includes(awaited, from);
        if (!isShown && !hasEnded) return;
        waiting.delete(check);
        if (isShown) resolve();
        else reject(new Error(`Failed to see ${JSON.stringify(awaited)}: the terminal shows:\n${output}`));
      };
      waiting.add(check);
      check();
    });
  return {
    shown: () => output.replaceAll('\r\n', '\n'),
    until,
    type: (keys) => terminal.write(keys),
    resize: (size) => terminal.resize(size, 40),
    ended,
  };
}

/** Starts the built command without a terminal. It ends with its test. */
export function startCommand(args: readonly string[], options: StartOptions = {}): ChildProcessWithoutNullStreams {
  const { umask, nodeArguments = [], cwd } = options;
  const shell = umask === undefined ? [] : ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh'];
  const [program = '', ...words] = [...shell, process.execPath, ...nodeArguments, main, ...args];
  const child = spawnProcess(program, words, { env: surroundings(options), cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Starts the command with standard output appended to a file. */
export function startCommandInto(file: string, args: readonly string[], options: RunOptions = {}): ChildProcess {
  const descriptor = openSync(file, 'a');
  const child = spawnProcess(process.execPath, [main, ...args], {
    env: surroundings(options),
    stdio: ['ignore', descriptor, 'ignore'],
  });
  closeSync(descriptor);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs the built command without a terminal until it ends. */
export async function runCommand(args: readonly string[], options: RunOptions = {}) {
  return runShell('exec "$@"', args, options);
}

/** Runs a line of bash in which `"$@"` is the built command. */
export async function runShell(line: string, args: readonly string[], options: RunOptions = {}) {
  const node = [process.execPath, ...(options.nodeArguments ?? []), main];
  const child = spawnProcess('bash', ['-c', line, 'bash', ...node, ...args], {
    env: surroundings(options),
    cwd: options.cwd,
  });
  child.stdin.on('error', () => {}).end();
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code };
}

/** Returns the lines of JSON that a command printed. */
export function jsonLines(stdout: unknown) {
  return String(stdout)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Returns an environment without the API key and the configuration of the developer. */
function surroundings({ env }: RunOptions): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', TERM: 'xterm-256color', TZ: 'UTC', LANG: 'C.UTF-8', ...env };
}
