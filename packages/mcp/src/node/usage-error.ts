/** An error of the command line. Only its message is printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
