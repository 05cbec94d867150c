import type { Command } from 'commander';

/** Options of the output of a command. */
export interface OutputOptions {
  /** JSON Lines also on a terminal. */
  json?: boolean | undefined;
  /** Nothing on standard error but failures. */
  quiet?: boolean | undefined;
}

/** The options of the commands that read from a server. */
export function addOutputOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON Lines, as without a terminal')
    .option('-q, --quiet', 'tell nothing on standard error but failures');
}
