import type { CliProcess } from './cli-process.ts';

/** Returns the current columns of the terminal. Elsewhere, `COLUMNS` limits the width if it is set. */
export function terminalWidth({ stdout, env }: CliProcess): number {
  const columns = /^[1-9]\d{0,5}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : undefined;
  return stdout.columns || columns || Number.POSITIVE_INFINITY;
}
