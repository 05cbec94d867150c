import { unlessAborted } from '@memory-read/contract/event-loop';
import type { CliProcess } from './cli-process.ts';
import { CommandError, exitCodes } from './command-error.ts';

/**
 * Prints to standard output and waits until the text is written. Returns false if the pipe is closed, as by `head`.
 *
 * A closed pipe is not a failure, but the command can end.
 *
 * @throws CommandError if the text cannot be written, for example to a full disk.
 * @throws The reason of the signal if it aborts before the text is written.
 */
export async function print(process: CliProcess, text: string, signal?: AbortSignal | undefined): Promise<boolean> {
  try {
    await writeOutput(process, text, signal);
    return true;
  } catch (error) {
    if (error === signal?.reason) throw error;
    throwUnlessPipeClosed(error);
    return false;
  }
}

/** @throws CommandError for a failure of standard output, unless the reader has closed the pipe. */
export function throwUnlessPipeClosed(error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (closedPipeCodes.includes(code)) return;
  throw new CommandError(
    exitCodes.failed,
    `Failed to print the result: standard output cannot be written (${code}). Redirect it to another file, or free some space.`,
  );
}

// EIO: the terminal was closed.
const closedPipeCodes = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'];

/** Writes text that must not get lost: rejects with the system's error, also if the pipe is closed. */
export async function writeOutput({ stdout }: CliProcess, text: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const written = new Promise<void>((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
  // A write to a full pipe waits until the reader continues.
  await (signal ? unlessAborted(written, signal) : written);
}
