import type { ListedMemory } from '@memory-read/client';
import { type Command, Option } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { addFilterOptions, type FilterOptions, readTimeRange, timesHelp } from '../options/filter-options.ts';
import { openClient } from '../options/open-client.ts';
import { parseCount } from '../options/parse-count.ts';
import { addFormatOptions, chosenFormat, type FormatOptions } from '../output/format-option.ts';
import { type ListField, parseListFields, pickListFields, statusOf } from '../output/list-fields.ts';
import { printPaged } from '../output/print-paged.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { mapLazily } from '../terminal/map-lazily.ts';
import { note } from '../terminal/note.ts';
import { styleHeading } from '../terminal/style.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';

interface ListOptions extends ConnectionOptions, FilterOptions, FormatOptions {
  limit?: number | undefined;
  fields?: ListField[] | undefined;
  status?: 'processing' | 'processed' | undefined;
}

export function define(command: Command): void {
  command
    .option('--fields <a,b>', 'only these fields, in this order', parseListFields)
    .addOption(new Option('--status <status>', 'only memories with this status').choices(['processing', 'processed']))
    .option('--limit <n>', 'only the newest <n> of them', parseCount('--limit', 999_999_999));
  addFilterOptions(addFormatOptions(addConnectionOptions(command)))
    .addHelpText('after', help)
    .action(runList);
}

const help = `${timesHelp}

Fields: id, name, started_at, ended_at, duration_seconds, is_processing,
user_id, audio_url, video_url, preview_image_url, summary, status, media.

JSON is a memory as the API lists it: without its transcript, and with media
URLs that are valid for one hour. Tables and Markdown show no URL.

Examples:
  memory-read list
  memory-read list --since monday --until yesterday
  memory-read list --last 7d --status processed --fields id,name --json
  memory-read list --format markdown > memories.md`;

async function runList(options: ListOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const range = await readTimeRange(options);
  const client = await openClient(options);
  const { isInRange } = await import('../times/is-in-range.ts');
  const listed = await client.listMemories({ signal });
  const { status, limit } = options;
  const memories = listed
    .filter((memory) => isInRange(memory.started_at, range) && (status === undefined || statusOf(memory) === status))
    .slice(0, limit);
  await printPaged(await formatList(memories, listed, options), options, signal);
}

async function formatList(
  memories: readonly ListedMemory[],
  listed: readonly ListedMemory[],
  options: ListOptions,
): Promise<string | Iterable<string>> {
  const { process, fields } = options;
  const format = chosenFormat(options);
  const toJson = (memory: ListedMemory) => (fields === undefined ? memory : pickListFields(memory, fields));
  if (format === 'jsonl') return mapLazily(memories, (memory) => jsonLine(toJson(memory)));
  if (format === 'json') {
    const { jsonDocument } = await import('../output/json-document.ts');
    return jsonDocument(memories.map(toJson));
  }
  if (memories.length === 0) {
    note(listed.length === 0 ? 'There are no memories.' : 'No memory matches the options.', options);
    return '';
  }
  if (format === 'markdown') {
    const { columnsOf, listCells } = await import('../output/list-columns.ts');
    const { markdownTable } = await import('../output/markdown-table.ts');
    return markdownTable(listCells(memories, fields && columnsOf(fields)));
  }
  const { listTableLines } = await import('../output/format-list-table.ts');
  const ids = listed.map(({ id }) => id);
  return styleHeading(process, listTableLines(memories, { width: terminalWidth(process), ids, fields }));
}
