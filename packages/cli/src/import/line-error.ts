/** Thrown when a line of a file is invalid. */
export class LineError extends Error {
  override readonly name = 'LineError';
  /** Number of the line, counted from 1. */
  readonly line: number;

  /** Creates the error. `reason` describes the problem without the content of the line. */
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}
