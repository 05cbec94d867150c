import { CommandError, exitCodes } from './command-error.ts';

/**
 * Prints on standard output, once that has taken it, and tells whether anybody reads on. Whoever reads may stop, as
 * `head` does: no reason to fail, but one to end.
 *
 * @throws CommandError when it cannot be written, such as to a full disk; the reason of the signal, where it aborts
 * before the text is taken.
 */
export async function print(text: string, signal?: AbortSignal | undefined): Promise<boolean> {
  try {
    await writeOutput(text, signal);
    return true;
  } catch (error) {
    if (error === signal?.reason) throw error;
    throwUnlessReaderGone(error);
    return false;
  }
}

/** @throws CommandError for what standard output failed with, unless that is because nobody reads it any more. */
export function throwUnlessReaderGone(error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (readerGone.includes(code)) return;
  throw new CommandError(
    exitCodes.failed,
    `Failed to print the result: because standard output cannot be written (${code}). Lead it elsewhere, or make room.`,
  );
}

// EIO: the terminal was closed.
const readerGone = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'];

/** The same for what must not get lost: rejects with the system's error, also when nobody reads. */
export function writeOutput(text: string, signal?: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // A pipe that is full keeps a write waiting for as long as nobody reads.
    const interrupt = () => reject(signal?.reason);
    signal?.addEventListener('abort', interrupt, { once: true });
    process.stdout.write(text, (error) => {
      signal?.removeEventListener('abort', interrupt);
      return error ? reject(error) : resolve();
    });
  });
}
