import type { CliProcess } from './terminal/cli-process.ts';
import { isInterruptedError } from './terminal/interrupted-error.ts';
import { reportFailure } from './terminal/report-failure.ts';

/** Runs a command. A failure is printed, and sets the exit code of the process. */
export async function runToEnd(process: CliProcess, command: () => Promise<void>): Promise<void> {
  ignoreStreamErrors(process);
  try {
    await command();
  } catch (error) {
    process.exitCode = reportFailure(process, error);
    // Unread output would keep the process alive.
    if (isInterruptedError(error)) process.exit();
  }
}

/** Each writer handles its own failure, and a failure of standard error cannot be reported. */
function ignoreStreamErrors({ stdout, stderr }: CliProcess): void {
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
}
