import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { isWords, memoryArgument } from '../ids/find-memory.ts';
import { type MemoryOptions, type NamedMemory, readMemory, withNames } from '../mirror/read-memory.ts';
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
  command.argument('<memory-id>', memoryArgument);
  command.addOption(insteadOfServer(new Option('--mirror <dir>', 'read this mirror instead of a server')));
  addFormatOptions(addConnectionOptions(command)).addHelpText('after', help).action(runGet);
}

const help = `
JSON is the memory as the API sends it, with media URLs that are valid for one
hour, and that are null in a mirror. Text and Markdown show no URL.
With --mirror, text and Markdown show the names of the speakers, text also the
media files, and JSON has speaker_names and media_files.
latest is the newest memory that is processed. Words find the memory that has
all of them, newest first if there are several. A terminal asks which one.
Ends with 4 if there is no such memory, or if there are several.

Examples:
  memory-read get latest
  memory-read get "burst pipe"
  memory-read get mem_1 --format markdown > mem_1.md
  memory-read get mem_1 --json | jq --raw-output .summary.quick_summary`;

async function runGet(memoryId: string, options: GetOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const found = await readMemory(memoryId, options, { signal });
  const words = found.memory.id !== memoryId && isWords(memoryId) ? memoryId : '';
  const [text, rest = ''] = await formatOne(found, words, options);
  const firstLine = rest === '' ? undefined : text.split('\n').length;
  await printPaged(text + rest, { ...options, firstLine }, signal);
}

/** Returns the text before the place that was searched, and the rest. */
async function formatOne(found: NamedMemory, words: string, options: GetOptions): Promise<[string, string?]> {
  const format = chosenFormat(options);
  const files = Object.entries(found.media ?? {}).map(([kind, { path }]) => [kind, join(options.mirror ?? '', path)]);
  const document = Object.assign(
    { ...withNames(found) },
    files.length > 0 && { media_files: Object.fromEntries(files) },
  );
  if (format === 'jsonl') return [jsonLine(document)];
  if (format === 'json') {
    const { jsonDocument } = await import('../output/json-document.ts');
    return [jsonDocument(document)];
  }
  const { renameSpeakers } = await import('@memory-read/client/transcript');
  const memory = renameSpeakers(found.memory, found.names);
  if (format === 'markdown') {
    const { toDocument } = await import('@memory-read/mirror');
    return [fitToTerminal(visibleText(toDocument(memory, 'markdown') as string), options.process.stdout)];
  }
  const { formatMemory } = await import('../terminal/format-memory.ts');
  const { searchMemories } = await import('@memory-read/client/search');
  const { hits } = searchMemories([memory], words);
  const parts = formatMemory(options.process, memory, { hits, files: files.map(([, path = '']) => path) });
  // Control characters of the memory are escaped already.
  return parts.map((part) => part && `${fitToTerminal(part, options.process.stdout)}\n`) as [string, string];
}
