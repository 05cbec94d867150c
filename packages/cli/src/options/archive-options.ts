import type { Command } from 'commander';
import { addConcurrencyOption } from './concurrency-option.ts';

/** Adds the options of commands that save all memories to a folder. */
export function addArchiveOptions(command: Command, { mostAtOnce = 64 }: { mostAtOnce?: number } = {}): Command {
  return addConcurrencyOption(command, mostAtOnce)
    .option('--adopt', 'continue a folder although the server has a new address')
    .option(
      '--media-origin <origin...>',
      'only these origins of media, such as http://10.0.0.5:9000; private ones too',
    );
}
