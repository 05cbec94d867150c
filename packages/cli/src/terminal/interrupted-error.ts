import type { CliProcess, EndSignal } from './cli-process.ts';
import { CommandError, exitCodes } from './command-error.ts';

/** Thrown after Ctrl+C, or when the process manager ends the process. */
export class InterruptedError extends CommandError {
  override readonly name = 'InterruptedError';
  readonly signal: EndSignal;

  constructor(signal: EndSignal) {
    super(exitCodes[signal], `Interrupted by ${signal}.`);
    this.signal = signal;
  }
}

/** Returns whether a value is an {@link InterruptedError}. */
export function isInterruptedError(value: unknown): value is InterruptedError {
  return Object(value).name === 'InterruptedError';
}

/**
 * Returns a signal that aborts with an {@link InterruptedError} on the first SIGINT, SIGTERM or SIGHUP: a closed terminal
 * must not leave anything behind either.
 *
 * Further signals are ignored, because npm and a terminal deliver the same Ctrl+C twice.
 */
export function abortOnInterruption(process: CliProcess): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => controller.abort(new InterruptedError(signal)));
  }
  return controller.signal;
}
