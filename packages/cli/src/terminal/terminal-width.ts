/** Columns of the terminal that standard output is, at this moment; no limit where it is none or does not tell. */
export function terminalWidth(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}
