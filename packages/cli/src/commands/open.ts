import type { Command } from 'commander';
import { addMirrorOption } from '../options/mirror-option.ts';

export function define(command: Command): void {
  addMirrorOption(command)
    .option('--print', 'print the path of the page instead of opening it')
    .addHelpText('after', help)
    .action(async (options) => (await import('../mirror/run-open.ts')).runOpen(options));
}

const help = `
Opens index.html of the mirror, which lists, searches and plays the memories
without a network. The browser is the command of MEMORY_READ_BROWSER, else that
of the system. Ends with 2 if there is no index.html.

Examples:
  memory-read open
  memory-read open --mirror memories --print`;
