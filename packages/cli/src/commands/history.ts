import type { Command } from 'commander';
import { memoryArgument } from '../ids/find-memory.ts';
import { addMirrorOption } from '../options/mirror-option.ts';
import { addOutputOptions } from '../terminal/output-options.ts';

export function define(command: Command): void {
  command.argument('<memory-id>', memoryArgument);
  addOutputOptions(addMirrorOption(command))
    .addHelpText('after', help)
    .action(async (memoryId, options) => (await import('../mirror/run-history.ts')).runHistory(memoryId, options));
}

const help = `
Prints a line for each change that a run of \`mirror\` found, oldest first:
{"memoryId":…,"version":…,"type":"added","at":…,"fields":[]}. Types are added,
changed, missing and returned. The command uses no network.
Ends with 4 if the mirror has no such memory, or if several fit.

Examples:
  memory-read history mem_1
  memory-read history mem_1 --json | jq .fields`;
