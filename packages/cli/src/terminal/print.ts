import { CommandError, exitCodes } from '../errors/command-error.ts';

/**
 * Prints on standard output, once that has taken it. Whoever reads it may stop reading, as `head` does: no reason to fail.
 *
 * @throws CommandError when it cannot be written, such as to a full disk.
 */
export async function print(text: string): Promise<void> {
  try {
    await writeOutput(text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (readerGone.includes(code)) return;
    throw new CommandError(
      exitCodes.failed,
      `Failed to print the result: because standard output cannot be written (${code}). Lead it elsewhere, or make room.`,
    );
  }
}

const readerGone = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/** The same for what must not get lost: rejects with the system's error, also when nobody reads. */
export function writeOutput(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
