import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A program that runs until it is disposed of. */
export interface RunningProcess extends AsyncDisposable {
  /** The match of the line that said that the program is ready. */
  ready: RegExpExecArray;
  /** All lines of standard output so far. */
  lines: string[];
  /** All lines of standard output and standard error so far. */
  printed(): string;
}

/**
 * Starts a program, and waits until it prints a line that matches. The end of a detached program also ends its
 * children.
 */
export async function startProcess(
  [program = '', ...args]: readonly string[],
  line: RegExp,
  options: SpawnOptions = {},
): Promise<RunningProcess> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const ready = Promise.withResolvers<RegExpExecArray>();
  const lines: string[] = [];
  let complaints = '';
  child.stderr?.on('data', (chunk) => (complaints += chunk));
  createInterface({ input: child.stdout as Readable }).on('line', (text) => {
    lines.push(text);
    const match = line.exec(text);
    if (match) ready.resolve(match);
  });
  const printed = () => `${lines.join('\n')}\n${complaints}`;
  closed.then(() => ready.reject(new Error(`Failed to start ${program}: it ended with:\n${printed()}`)), ready.reject);
  return {
    ready: await ready.promise,
    lines,
    printed,
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(options.detached ? -child.pid : child.pid);
      await closed;
    },
  };
}

/** What a program has printed when it has ended, and its exit code. */
export interface ProcessEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Gives a program its input, and resolves when it has ended. Its standard streams are pipes. */
export async function endOf(child: ChildProcess, input = ''): Promise<ProcessEnd> {
  // A program that rejects its input may not read it.
  child.stdin?.on('error', () => {}).end(input);
  const read = (stream: Readable | null) => (stream === null ? '' : text(stream));
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}
