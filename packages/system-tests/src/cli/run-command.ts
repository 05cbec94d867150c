import { spawn as spawnProcess } from 'node:child_process';
import { join } from 'node:path';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { root } from '@memory-read/test-kit/repository';
import { endOf } from '@memory-read/test-kit/start-process';
import { onTestFinished } from 'vitest';

/** Environment of a command. */
export interface RunOptions {
  env?: Record<string, string> | undefined;
  cwd?: string | undefined;
  nodeArguments?: readonly string[] | undefined;
  /** Octal. Default: that of the tests. */
  umask?: string | undefined;
}

/** Environment of a command in a terminal. */
export interface TerminalOptions extends Pick<RunOptions, 'env' | 'cwd'> {
  /** Default: 80. */
  columns?: number | undefined;
}

/** A command in a pseudo-terminal. It ends with its test. */
export interface TerminalCommand {
  /** Returns everything that the terminal has shown so far. */
  shown(): string;
  /** Resolves when the terminal has shown this text. Rejects if the command ends before. */
  until(text: string): Promise<void>;
  type(keys: string): void;
  resize(columns: number): void;
  /** Exit code, after the command has ended. */
  ended: Promise<number>;
}

const main = join(root, 'packages', 'cli', 'dist', 'main.js');

/** Starts the built command in a terminal, or a line of bash in which `"$@"` is the command. */
export function runInTerminal(
  args: readonly string[],
  { shell, ...options }: TerminalOptions & { shell?: string } = {},
): TerminalCommand {
  const lead = shell === undefined ? [] : ['bash', '-c', shell, 'bash'];
  return startTerminal([...lead, process.execPath, main, ...args], options);
}

/** Starts a program in a terminal. */
export function startTerminal(
  [program = '', ...words]: readonly string[],
  { columns = 80, cwd, env }: TerminalOptions = {},
): TerminalCommand {
  const size = { cols: columns, rows: 40 };
  const terminal = spawnInTerminal(program, words, { ...size, ...(cwd && { cwd }), env: surroundings(env) });
  let output = '';
  let hasEnded = false;
  const waiting = new Set<() => void>();
  const checkAll = () => {
    for (const check of waiting) check();
  };
  terminal.onData((data) => {
    output += data;
    checkAll();
  });
  const ended = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      checkAll();
      resolve(signal ? 128 + signal : exitCode);
    });
  });
  onTestFinished(() => {
    if (!hasEnded) terminal.kill('SIGKILL');
  });
  const until = (awaited: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        const isShown = output.includes(awaited);
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
    resize: (cols) => terminal.resize(cols, size.rows),
    ended,
  };
}

/** Starts the built command without a terminal. It ends with its test. */
export function startCommand(args: readonly string[], { umask, ...options }: RunOptions = {}) {
  const line = umask === undefined ? 'exec "$@"' : `umask ${umask}; exec "$@"`;
  return startInShell(line, args, options);
}

/** Runs the built command without a terminal until it ends. */
export function runCommand(args: readonly string[], options?: RunOptions) {
  return endOf(startCommand(args, options));
}

/** Runs a line of bash in which `"$@"` is the built command. */
export function runShell(line: string, args: readonly string[], options: RunOptions) {
  return endOf(startInShell(line, args, options));
}

/** Returns the lines of JSON that a command printed. */
export function jsonLines(stdout: unknown) {
  return String(stdout)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function startInShell(line: string, args: readonly string[], { env, cwd, nodeArguments = [] }: RunOptions) {
  const node = [process.execPath, ...nodeArguments, main];
  const child = spawnProcess('bash', ['-c', line, 'bash', ...node, ...args], { env: surroundings(env), cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Returns an environment without the API key and the configuration of the developer. */
function surroundings(env: RunOptions['env']): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', TERM: 'xterm-256color', TZ: 'UTC', LANG: 'C.UTF-8', ...env };
}
