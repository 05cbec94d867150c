/** What is wrong with one line of a file. */
export class LineError extends Error {
  override readonly name = 'LineError';
  /** Counted from 1. */
  readonly line: number;

  /** `reason` says what the line is or has, without its content. */
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}
