import type { Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { styleHeading } from '../terminal/style.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';

interface ListOptions extends ConnectionOptions, OutputOptions {}

export function defineList(command: Command): void {
  addOutputOptions(addConnectionOptions(command)).addHelpText('after', help).action(runList);
}

const help = `
Each line of JSON is a memory as the API lists it: without its transcript, with media URLs that are good for an hour.

Examples:
  memory-read list
  memory-read list | head -1
  memory-read list --json --base-url https://api.example.com --api-key file:key.txt`;

async function runList(options: ListOptions): Promise<void> {
  const signal = abortOnInterruption();
  const client = await openClient(options);
  const memories = await client.listMemories({ signal });
  if (!isForPeople(options)) {
    await print(memories.map(jsonLine).join(''), signal);
  } else if (memories.length === 0) {
    note('There are no memories.', options);
  } else {
    const { formatMemoryList } = await import('../terminal/format-memory-list.ts');
    await print(`${styleHeading(formatMemoryList(memories, terminalWidth()))}\n`, signal);
  }
}
