/** Returns the current columns of the terminal; unlimited if standard output is no terminal. */
export function terminalWidth(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}
