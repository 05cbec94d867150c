import type { Command } from 'commander';
import type { CommandContext } from './cli-process.ts';

export interface OutputOptions extends CommandContext {
  /** Whether to print JSON Lines on a terminal too. */
  json?: boolean | undefined;
  /** Whether to print only failures to standard error. */
  quiet?: boolean | undefined;
}

/** Adds the options of commands that read from a server. */
export function addOutputOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON Lines (default off a terminal)')
    .option('-q, --quiet', 'print only failures on standard error');
}
