import { inspect } from 'node:util';
import type { CliProcess } from './cli-process.ts';
import { exitCodes, isCommandError } from './command-error.ts';
import { explainFailure, explainsItself } from './explain-failure.ts';
import { fitToTerminal } from './fit-to-terminal.ts';
import { maskKeys } from './mask-keys.ts';
import { visibleLine, visibleText } from './visible-text.ts';

/** Prints the failure to standard error, and returns its exit code. */
export function reportFailure(process: CliProcess, error: unknown): number {
  process.stderr.write(`${fitToTerminal(maskKeys(process, explain(process, error)), process.stderr)}\n`);
  return exitCodeOf(error);
}

/** Returns the exit code of a failure. It uses the code of the error, because its class would load the client. */
export function exitCodeOf(error: unknown): number {
  if (isCommandError(error)) return error.exitCode;
  return exitCodesByErrorCode.get(Object(error).code) ?? exitCodes.failed;
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
  if (isCommandError(error) || explainsItself(error)) {
    return visibleLine(explainFailure(process, error));
  }
  const { syscall, message } = Object(error);
  if (syscall !== undefined) return visibleLine(`Failed to use a file: ${message}. Check its path and permissions.`);
  return visibleText(inspect(error));
}
