import { InterruptedError } from './terminal/interrupted-error.ts';
import { reportFailure } from './terminal/report-failure.ts';

/** Runs a command; what it fails with is told to people, and its exit code left in the process. */
export async function runToEnd(command: () => Promise<void>): Promise<void> {
  leaveOutputErrorsToWriters();
  try {
    await command();
  } catch (error) {
    process.exitCode = reportFailure(error);
    // What nobody reads would keep the process alive.
    if (error instanceof InterruptedError) process.exit();
  }
}

/** Whoever writes is told of its own failure; nobody would be left to tell of one of standard error. */
function leaveOutputErrorsToWriters(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
