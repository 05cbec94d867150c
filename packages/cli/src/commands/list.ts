import type { Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { addFilterOptions, type FilterOptions, readTimeRange, timesHelp } from '../options/filter-options.ts';
import { openClient } from '../options/open-client.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { styleHeading } from '../terminal/style.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';

interface ListOptions extends ConnectionOptions, FilterOptions, OutputOptions {}

export function defineList(command: Command): void {
  addFilterOptions(addOutputOptions(addConnectionOptions(command)))
    .addHelpText('after', help)
    .action(runList);
}

const help = `${timesHelp}

Each line of JSON is a memory as the API lists it: without its transcript, with media URLs that are good for an hour.

Examples:
  memory-read list
  memory-read list | head -1
  memory-read list --since monday --until yesterday
  memory-read list --json --base-url https://api.example.com --api-key file:key.txt`;

async function runList(options: ListOptions): Promise<void> {
  const signal = abortOnInterruption();
  const range = await readTimeRange(options);
  const client = await openClient(options);
  const { isInRange } = await import('../times/is-in-range.ts');
  const listed = await client.listMemories({ signal });
  const memories = listed.filter(({ started_at }) => isInRange(started_at, range));
  if (!isForPeople(options)) {
    await print(memories.map(jsonLine).join(''), signal);
  } else if (memories.length === 0) {
    note('There are no memories.', options);
  } else {
    const { formatMemoryList } = await import('../terminal/format-memory-list.ts');
    await print(`${styleHeading(formatMemoryList(memories, terminalWidth()))}\n`, signal);
  }
}
