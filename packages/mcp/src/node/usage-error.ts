/** An error of the command line. Its message is all that is printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
