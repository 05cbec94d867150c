import { type ChildProcess, spawn } from 'node:child_process';
import { kill } from 'node:process';
import type { Readable } from 'node:stream';
import { type DeliveryAction, DeliveryError, type MemoryEvent, type SendEvent } from '@memory-read/mirror';
import type { CliProcess } from '../terminal/cli-process.ts';

/** Longest value of a variable in bytes: Linux refuses one of 128 KiB. */
const longestValue = 100_000;

/** Milliseconds for output that the system still holds when a command has ended. */
const outputGrace = 200;

/** What an exit code means. All others but 0 mean that the event was not accepted. */
const actions: Readonly<Record<number, DeliveryAction>> = {
  65: 'park',
  75: 'unavailable',
  78: 'stop',
  126: 'stop',
  127: 'stop',
};

interface ExecOptions {
  process: CliProcess;
  command: string;
  /** Limit of one try in milliseconds. */
  timeout: number;
}

/**
 * Returns a function that runs a command for each event. The command reads the event as a line of JSON, and what it prints
 * goes to standard error.
 */
export function createExecSender({ process, command, timeout }: ExecOptions): SendEvent {
  return (event, { attempt, body, signal }) =>
    new Promise<void>((resolve, reject) => {
      const fail = (message: string, action: DeliveryAction = 'retry') =>
        reject(new DeliveryError(message, { action }));
      // Its own group does not get the Ctrl+C of the terminal, and can be ended as a whole.
      const child = spawn(command, {
        shell: true,
        detached: process.platform !== 'win32',
        windowsHide: true,
        env: { ...process.env, ...variablesOf(event, attempt) },
        stdio: 'pipe',
      });
      let reason: string | undefined;
      const end = (text: string) => {
        reason ??= text;
        endGroup(process, child);
      };
      const timer = setTimeout(() => end(`the command did not end within ${timeout} ms`), timeout);
      const abort = () => end('the command did not end before the deliveries were ended');
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      for (const output of [child.stdout, child.stderr]) copyTo(process.stderr, output);
      // A command need not read its input.
      child.stdin.on('error', () => {});
      child.stdin.end(`${body}\n`);
      const settle = (work: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        work();
      };
      child.on('error', ({ code, name }: NodeJS.ErrnoException) =>
        settle(() => fail(`the command cannot be started (${code ?? name})`, 'unavailable')),
      );
      child.on('exit', (code, endSignal) =>
        settle(() => {
          // A process that the command left behind can hold the outputs open.
          setTimeout(
            () => [child.stdout, child.stderr].forEach((output) => void output.destroy()),
            outputGrace,
          ).unref();
          if (reason !== undefined) return fail(reason, 'unavailable');
          if (code === 0) return resolve();
          if (code === null) return fail(`the command was ended by ${endSignal}`);
          fail(`the command ended with exit code ${code}`, actions[code]);
        }),
      );
    });
}

/** Copies an output. Unlike `pipe`, it adds no listeners: processes that many commands left behind can hold theirs open. */
function copyTo(target: NodeJS.WritableStream, output: Readable): void {
  output.on('data', (chunk) => {
    if (target.write(chunk)) return;
    output.pause();
    target.once('drain', () => output.resume());
  });
}

/** Returns the variables of an event. The system refuses a value with NUL, and one that is too long. */
function variablesOf({ id, type, timestamp, data }: MemoryEvent, attempt: number): Record<string, string> {
  const variables = {
    MEMORY_EVENT_ID: id,
    MEMORY_EVENT_TYPE: type,
    MEMORY_EVENT_TIMESTAMP: timestamp,
    MEMORY_EVENT_MEMORY_ID: data.memory_id,
    MEMORY_EVENT_FIELDS: data.fields.join(','),
    MEMORY_EVENT_ATTEMPT: String(attempt),
  };
  const isPassable = (value: string) => !value.includes('\0') && Buffer.byteLength(value) <= longestValue;
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => isPassable(value)));
}

function endGroup({ platform }: CliProcess, child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // Windows has no process groups.
    if (platform === 'win32') child.kill('SIGKILL');
    else kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}
