import type { CliProcess } from './cli-process.ts';
import { abortOnInterruption, isInterruptedError } from './interrupted-error.ts';

/** Runs a server until a signal ends it. SIGTERM is an ordinary end of a server, and the others are not. */
export async function runUntilInterrupted(
  process: CliProcess,
  run: (interruption: AbortSignal) => Promise<void>,
): Promise<void> {
  const interruption = abortOnInterruption(process);
  await run(interruption).catch((error: unknown) => {
    if (error !== interruption.reason) throw error;
  });
  const { reason } = interruption;
  process.exitCode = isInterruptedError(reason) && reason.signal !== 'SIGTERM' ? reason.exitCode : 0;
  // Unread output would keep the process alive.
  if (process.stderr.writableLength > 0) process.exit();
}

/** Resolves at the signal. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
