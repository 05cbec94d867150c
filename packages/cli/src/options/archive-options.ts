import type { Command } from 'commander';
import { addConcurrencyOption } from './concurrency-option.ts';

/** Adds the options of commands that save all memories to a folder. */
export function addArchiveOptions(command: Command): Command {
  return addConcurrencyOption(command)
    .option('--adopt', 'go on with a folder of another base URL: the API has moved')
    .option(
      '--media-origin <origin...>',
      'only these origins of media, such as http://10.0.0.5:9000; private ones too',
    );
}
