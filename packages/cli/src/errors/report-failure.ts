import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { CommandError, exitCodes } from './command-error.ts';
import { maskKeys } from './mask-keys.ts';

/** Tells people on standard error why the command ended, and returns its exit code. */
export function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  process.stderr.write(`${maskKeys(explain(error))}\n`);
  return error instanceof CommandError ? error.exitCode : exitCodes.failed;
}

/** Errors made for people say what failed, why and what to do; of any other one, a bug, the stack is needed. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  if (error instanceof CommandError || error.message.startsWith('Failed to ')) return error.message;
  if ('syscall' in error) return `Failed to use a file: because of ${error.message}. Check its path and permissions.`;
  return inspect(error);
}
