/** Returns the current columns of the terminal. Elsewhere, `COLUMNS` limits the width if it is set. */
export function terminalWidth(): number {
  const columns = /^[1-9]\d{0,5}$/.test(process.env.COLUMNS ?? '') ? Number(process.env.COLUMNS) : undefined;
  return process.stdout.columns || columns || Number.POSITIVE_INFINITY;
}
