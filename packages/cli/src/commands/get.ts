import type { Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';

interface GetOptions extends ConnectionOptions, OutputOptions {}

export function defineGet(command: Command): void {
  command.argument('<memory-id>', 'id of the memory, as `list` prints it');
  addOutputOptions(addConnectionOptions(command)).addHelpText('after', help).action(runGet);
}

const help = `
The line of JSON is the memory as the API has it, with media URLs that are good for an hour.
Ends with 4 if there is no such memory.

Examples:
  memory-read get mem_1
  memory-read get mem_1 --json | jq --raw-output .summary.quick_summary`;

async function runGet(memoryId: string, options: GetOptions): Promise<void> {
  const signal = abortOnInterruption();
  const client = await openClient(options);
  const memory = await client.getMemory(memoryId, { signal });
  if (!isForPeople(options)) {
    await print(jsonLine(memory), signal);
    return;
  }
  const { formatMemory } = await import('../terminal/format-memory.ts');
  // Control characters of the memory are escaped already.
  await print(`${formatMemory(memory, terminalWidth())}\n`, signal);
}
