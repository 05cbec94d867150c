import { InterruptedError } from './terminal/interrupted-error.ts';
import { reportFailure } from './terminal/report-failure.ts';

/** Runs a command. A failure is printed, and sets the exit code of the process. */
export async function runToEnd(command: () => Promise<void>): Promise<void> {
  ignoreStreamErrors();
  try {
    await command();
  } catch (error) {
    process.exitCode = reportFailure(error);
    // Unread output would keep the process alive.
    if (error instanceof InterruptedError) process.exit();
  }
}

/** Each writer handles its own failure, and a failure of standard error cannot be reported. */
function ignoreStreamErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
