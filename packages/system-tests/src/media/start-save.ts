import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MockSpace } from '@memory-read/msw/server';

/** A process that saves the audio of `mem_1`. */
export interface SaveProcess {
  readonly child: ChildProcess;
  /** The last line of output: the result or the error. */
  readonly end: Promise<Record<string, unknown>>;
}

interface SaveOptions {
  /** Kills the process with SIGKILL when it has this many bytes. */
  readonly killAt?: number | undefined;
  /** A command that runs the process, such as a shell with limits. */
  readonly within?: readonly string[] | undefined;
}

export function startSave(api: MockSpace, path: string, { killAt, within = [] }: SaveOptions = {}): SaveProcess {
  const script = join(import.meta.dirname, 'save-process.ts');
  const command = [...within, process.execPath, '--conditions=@memory-read/source', script, api.baseUrl, path];
  const child = spawn(command[0] as string, command.slice(1), {
    env: { ...process.env, MEMORY_API_KEY: api.apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let last: Record<string, unknown> = {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = JSON.parse(line) as Record<string, unknown>;
    if (killAt !== undefined && Number(last.bytesReceived) >= killAt) child.kill('SIGKILL');
  });
  return { child, end: closed.then(() => last) };
}
