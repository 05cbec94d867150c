import { type Command, Option } from 'commander';
import { parseCount } from './parse-count.ts';

/** How many memories a command works on at a time. */
export function addConcurrencyOption(command: Command): Command {
  return command.addOption(
    new Option('--concurrency <number>', 'memories at a time').argParser(parseCount('--concurrency', 64)).default(4),
  );
}
