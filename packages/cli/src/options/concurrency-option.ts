import { type Command, Option } from 'commander';
import { parseCount } from './parse-count.ts';

/** Adds the option for the number of memories in parallel. */
export function addConcurrencyOption(command: Command, most: number): Command {
  return command.addOption(
    new Option('--concurrency <number>', 'memories at a time').argParser(parseCount('--concurrency', most)).default(4),
  );
}
