import { type Command, Option } from 'commander';
import type { CommandContext } from './cli-process.ts';

export interface OutputOptions extends CommandContext {
  /** Whether to print JSON Lines on a terminal too. */
  json?: boolean | undefined;
  /** Whether to print only failures to standard error. */
  quiet?: boolean | undefined;
}

export function jsonOption(): Option {
  return new Option('--json', 'print JSON Lines (default off a terminal)');
}

/** Adds the options of commands that read from a server. */
export function addOutputOptions(command: Command): Command {
  return command.addOption(jsonOption()).option('-q, --quiet', 'print only failures on standard error');
}
