/** What the commands end with; see the help of `memory-read`. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  authentication: 3,
  notFound: 4,
  timedOut: 5,
  interrupted: 130,
  terminated: 143,
} as const;

/** Ends a command with a message for people and an exit code. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: { cause?: unknown } | undefined) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** `problem` begins with the option that is wrong, says why and what to pass. */
export function usageError(problem: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to read ${problem}`);
}
