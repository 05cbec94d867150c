import { type ChildProcess, spawn } from 'node:child_process';

/** What a command printed, and how it ended. */
export interface CommandRun {
  /** Exit code; null if a signal ended the command, or if it was never started. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Reason why the run was ended, or why the command could not be started. */
  readonly stopped?: 'timeout' | 'output' | { readonly startError: string };
  readonly durationMs: number;
}

export interface CommandOptions {
  command: readonly string[];
  /** The whole environment of the command. */
  env: NodeJS.ProcessEnv;
  /** Limit in milliseconds. */
  timeout: number;
  /** Ends the command at once. */
  signal?: AbortSignal | undefined;
}

/** Most bytes that are kept of each output. */
export const maxOutputBytes = 16 * 1024 * 1024;

/**
 * Runs a command without a shell, with an empty standard input and a process group of its own. All processes of the group
 * have ended when the promise resolves.
 */
export function runCommand({
  command: [program = '', ...args],
  env,
  timeout,
  signal,
}: CommandOptions): Promise<CommandRun> {
  const startedAt = performance.now();
  const start = () =>
    spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  return new Promise((resolve) => {
    let stopped: CommandRun['stopped'];
    let child: ReturnType<typeof start>;
    try {
      child = start();
    } catch (error) {
      // Arguments that the system refuses are reported at once.
      const { code, name } = error as NodeJS.ErrnoException;
      resolve({
        code: null,
        signal: null,
        stdout: '',
        stderr: '',
        stopped: { startError: code ?? name },
        durationMs: 0,
      });
      return;
    }
    const stop = (reason: 'timeout' | 'output') => {
      stopped ??= reason;
      endGroup(child);
    };
    const abort = () => endGroup(child);
    const timer = setTimeout(() => stop('timeout'), timeout);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const stdout = collect(child.stdout, () => stop('output'));
    const stderr = collect(child.stderr, () => stop('output'));
    child.on('error', (error: NodeJS.ErrnoException) => {
      stopped ??= { startError: error.code ?? error.name };
    });
    child.on('exit', () => {
      clearTimeout(timer);
      // Other processes of the group may hold the outputs open.
      endGroup(child);
      // A process that has left the group is not waited for.
      setTimeout(() => [child.stdout, child.stderr].forEach((stream) => void stream.destroy()), 200).unref();
    });
    child.on('close', (code, endSignal) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      const durationMs = Math.round(performance.now() - startedAt);
      const isStarted = child.pid !== undefined;
      resolve({
        code: isStarted ? code : null,
        signal: endSignal,
        stdout: stdout(),
        stderr: stderr(),
        ...(stopped && { stopped }),
        durationMs,
      });
    });
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // Windows has no process groups.
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}

function collect(stream: NodeJS.ReadableStream, onLimit: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutputBytes) onLimit();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
