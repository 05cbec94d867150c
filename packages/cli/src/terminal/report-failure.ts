import { inspect } from 'node:util';
import type { CliProcess } from './cli-process.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { explainFailure, explainsItself } from './explain-failure.ts';
import { maskKeys } from './mask-keys.ts';
import { visibleLine, visibleText } from './visible-text.ts';

/** Prints the failure to standard error, and returns its exit code. */
export function reportFailure(process: CliProcess, error: unknown): number {
  process.stderr.write(`${maskKeys(process, explain(process, error))}\n`);
  return exitCodeOf(error);
}

/** Uses the code of the error, because its class would load the client. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (!(error instanceof Error) || !('code' in error)) return exitCodes.failed;
  return exitCodesByErrorCode.get(error.code) ?? exitCodes.failed;
}

const exitCodesByErrorCode = new Map<unknown, number>([
  ['configuration', exitCodes.usage],
  ['authentication', exitCodes.authentication],
  ['not_found', exitCodes.notFound],
  ['media_unavailable', exitCodes.notFound],
  ['timeout', exitCodes.timedOut],
  ['processing_timeout', exitCodes.timedOut],
]);

/** Prints the message of an error for users. Any other error is a bug, so its stack is printed. */
function explain(process: CliProcess, error: unknown): string {
  if (!(error instanceof Error)) return visibleText(inspect(error));
  if (error instanceof CommandError || explainsItself(error)) {
    return visibleLine(explainFailure(process, error));
  }
  if ('syscall' in error) return visibleLine(`Failed to use a file: ${error.message}. Check its path and permissions.`);
  return visibleText(inspect(error));
}
