import type { Memory } from '@memory-read/client';
import { type Command, Option } from 'commander';
import { type MemoryOptions, readMemory } from '../mirror/read-memory.ts';
import { addConnectionOptions } from '../options/connection-options.ts';
import { insteadOfServer } from '../options/mirror-option.ts';
import { addFormatOptions, chosenFormat, type FormatOptions } from '../output/format-option.ts';
import { printPaged } from '../output/print-paged.ts';
import { fitToTerminal } from '../terminal/fit-to-terminal.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { visibleText } from '../terminal/visible-text.ts';

interface GetOptions extends MemoryOptions, FormatOptions {}

export function define(command: Command): void {
  command.argument('<memory-id>', 'id of the memory, as `list` prints it; on a terminal, its beginning');
  command.addOption(insteadOfServer(new Option('--mirror <dir>', 'read this mirror instead of a server')));
  addFormatOptions(addConnectionOptions(command), ['text', 'json', 'jsonl', 'markdown'])
    .addHelpText('after', help)
    .action(runGet);
}

const help = `
JSON is the memory as the API sends it, with media URLs that are valid for one
hour, and that are null in a mirror. Text and Markdown show no URL.
Ends with 4 if there is no such memory.

Examples:
  memory-read get mem_1
  memory-read get mem_1 --format markdown > mem_1.md
  memory-read get mem_1 --json | jq --raw-output .summary.quick_summary`;

async function runGet(memoryId: string, options: GetOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const memory = await readMemory(memoryId, options, { signal });
  await printPaged(await formatOne(memory, options), options, signal);
}

async function formatOne(memory: Memory, options: GetOptions): Promise<string> {
  const format = chosenFormat(options, 'text');
  if (format === 'jsonl') return jsonLine(memory);
  if (format === 'json') {
    const { jsonDocument } = await import('../output/json-document.ts');
    return jsonDocument(memory);
  }
  if (format === 'markdown') {
    const { toDocument } = await import('@memory-read/mirror');
    return fitToTerminal(visibleText(toDocument(memory, 'markdown') as string), options.process.stdout);
  }
  const { formatMemory } = await import('../terminal/format-memory.ts');
  // Control characters of the memory are escaped already.
  return `${fitToTerminal(formatMemory(options.process, memory), options.process.stdout)}\n`;
}
