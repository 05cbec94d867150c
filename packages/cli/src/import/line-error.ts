/** Thrown when a line of a file is invalid. */
export class LineError extends Error {
  override readonly name = 'LineError';
  /** The number of the line, counted from 1, and the problem without the content of the line. */
  readonly reason: string;

  /** Creates the error for the line with this number, counted from 1. */
  constructor(line: number, problem: string) {
    super(`Failed to read line ${line}: ${problem}. Correct the line.`);
    this.reason = `line ${line}: ${problem}`;
  }
}
