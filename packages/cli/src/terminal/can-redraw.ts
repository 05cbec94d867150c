import type { CliProcess } from './cli-process.ts';

/** Moves to the beginning of the line and erases it. */
export const returnAndErase = '\r\x1b[K';

/** Returns whether a line of standard error can be redrawn, which needs a terminal that supports escape sequences. */
export function canRedraw({ stderr, env }: Pick<CliProcess, 'stderr' | 'env'>): boolean {
  return stderr.isTTY === true && env.TERM !== 'dumb';
}
