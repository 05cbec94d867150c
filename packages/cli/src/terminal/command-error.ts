/** Exit codes of the commands. See the help of `memory-read`. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  authentication: 3,
  notFound: 4,
  timedOut: 5,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const;

/** Thrown to end a command with a message and an exit code. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: { cause?: unknown } | undefined) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Returns whether a value is a {@link CommandError}. */
export function isCommandError(value: unknown): value is CommandError {
  return ['CommandError', 'InterruptedError'].includes(Object(value).name);
}

/** Returns the error of an invalid option. `problem` names the option, the reason and what to pass. */
export function usageError(problem: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to read ${problem}`);
}

/** Returns the error of an option of a library, whose message begins so, as that of an option of a command. */
export function asUsageError(error: unknown, begin: string, toTerms = (message: string) => message): unknown {
  const { name, message } = Object(error);
  if (name !== 'TypeError' || !message.startsWith(begin)) return error;
  return new CommandError(exitCodes.usage, toTerms(message), { cause: error });
}
