import { inspect } from 'node:util';
import { CommandError, exitCodes } from './command-error.ts';
import { explainFailure } from './explain-failure.ts';
import { maskKeys } from './mask-keys.ts';
import { visibleLine, visibleText } from './visible-text.ts';

/** Tells people on standard error why the command ended, and returns its exit code. */
export function reportFailure(error: unknown): number {
  process.stderr.write(`${maskKeys(explain(error))}\n`);
  return exitCodeOf(error);
}

/** By the code of a client's error: its class would load the client for commands that have no use of it. */
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

/** Errors made for people say what failed, why and what to do; of any other one, a bug, the stack is needed. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return visibleText(inspect(error));
  if (error instanceof CommandError || error.message.startsWith('Failed to ')) {
    return visibleLine(explainFailure(error));
  }
  if ('syscall' in error)
    return visibleLine(`Failed to use a file: because of ${error.message}. Check its path and permissions.`);
  return visibleText(inspect(error));
}
