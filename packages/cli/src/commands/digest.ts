import type { Mirror } from '@memory-read/mirror';
import { type Command, Option } from 'commander';
import { createDigest, type Digest, type DigestMemory } from '../digest/digest.ts';
import { digestToMarkdown, digestToText } from '../digest/write-digest.ts';
import { saveDocument } from '../files/save-document.ts';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { addFilterOptions, type FilterOptions, readTimeRange, timesHelp } from '../options/filter-options.ts';
import { insteadOfServer } from '../options/mirror-option.ts';
import { openClient } from '../options/open-client.ts';
import {
  addPagerOptions,
  formatOfFile,
  formatOption,
  type PagerOptions,
  parseFormat,
} from '../output/format-option.ts';
import { jsonDocument } from '../output/json-document.ts';
import { outputPath } from '../output/output-path.ts';
import { printPaged } from '../output/print-paged.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { fitToTerminal } from '../terminal/fit-to-terminal.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import { isInRange, type TimeRange } from '../times/is-in-range.ts';

const formats = ['text', 'markdown', 'json'] as const;

interface DigestOptions extends ConnectionOptions, FilterOptions, PagerOptions {
  format?: (typeof formats)[number] | undefined;
  /** Folder of a mirror, which is read instead of a server. */
  mirror?: string | undefined;
  output?: string | undefined;
  title: string;
}

export function define(command: Command): void {
  command
    .addOption(
      formatOption(
        '--format <format>',
        'how to write it (default: by the name of --output, text on a terminal, else markdown)',
        formats,
      ).argParser((text: string) => parseFormat(text, formats)),
    )
    .addOption(new Option('--json', 'same as --format json').conflicts('format'))
    .addOption(insteadOfServer(new Option('--mirror <dir>', 'read this mirror instead of a server')))
    .option('-o, --output <file>', 'file or folder to write to (default: standard output)')
    .option('--title <text>', 'heading of the page', 'Memories');
  addFilterOptions(addConnectionOptions(addPagerOptions(command)))
    .addHelpText('after', help)
    .action(runDigest);
}

const help = `${timesHelp}
Without any of them, the range is --last 7d.
With --mirror, a memory shows the people who were named in it.

Examples:
  memory-read digest
  memory-read digest --since monday --title "This week" --output week.md
  memory-read digest --last 1d --mirror memories --json`;

async function runDigest(options: DigestOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const now = new Date();
  const range = await readDigestRange(options, now);
  const { output = '-', title, mirror } = options;
  const format = options.json ? 'json' : (options.format ?? formatByDefault(options));
  const memories =
    mirror === undefined ? readServer(options, range, signal) : readMirror(mirror, options, range, signal);
  const digest = createDigest(await memories, range);
  const text = format === 'json' ? jsonDocument(digest) : await writers[format](options.process, digest, title);
  signal.throwIfAborted();
  if (output === '-') {
    return printPaged(format === 'json' ? text : fitToTerminal(text, options.process.stdout), options, signal);
  }
  const path = await outputPath(output, async () => {
    const { fileNames } = await import('@memory-read/mirror');
    const page = { id: '', name: title, started_at: (range.until ?? now).toISOString() };
    return fileNames(page, { name: '{date} {name}' })[format];
  });
  await saveDocument(path, text, signal);
  note(`Saved ${path}.`, options);
}

const writers = {
  text: digestToText,
  markdown: (_process: CliProcess, digest: Digest, title: string) => digestToMarkdown(digest, title),
};

function formatByDefault({ output = '-', process }: DigestOptions): (typeof formats)[number] {
  return formatOfFile(output, formats) ?? (output === '-' && process.stdout.isTTY ? 'text' : 'markdown');
}

/** With `--last`, the range ends now, so that the page names its end. */
async function readDigestRange(options: DigestOptions, now: Date): Promise<TimeRange> {
  const isLast = options.since === undefined && options.until === undefined;
  const range = await readTimeRange(isLast ? { last: '7d', ...options } : options, now);
  return isLast ? { ...range, until: now } : range;
}

async function readServer(options: DigestOptions, range: TimeRange, signal: AbortSignal): Promise<DigestMemory[]> {
  const client = await openClient(options);
  const memories = await client.listMemories({ signal });
  return memories.filter(({ started_at }) => isInRange(started_at, range));
}

/** Memories that the server no longer has are left out, as they are in its list. */
async function readMirror(
  given: string,
  { process }: DigestOptions,
  range: TimeRange,
  signal: AbortSignal,
): Promise<DigestMemory[]> {
  const { listMirror } = await import('../mirror/list-mirror.ts');
  const { readMirror: openMirror } = await import('../mirror/with-mirror.ts');
  return openMirror({ process, mirror: given }, async (mirror) => {
    const listed = (await listMirror(mirror, signal, range)).filter(({ missingSince }) => missingSince === null);
    const memories: DigestMemory[] = [];
    for (const { memory, names } of listed) {
      signal.throwIfAborted();
      const hasNames = Object.keys(names).length > 0;
      memories.push({ ...memory, ...(hasNames && { people: await peopleIn(mirror, memory.id) }) });
    }
    return memories;
  });
}

/** Returns the names of a memory in the order of first speech. */
async function peopleIn(mirror: Mirror, memoryId: string): Promise<string[]> {
  const speakers = await mirror.people.speakers(memoryId);
  return [...new Set(speakers.flatMap(({ person }) => person ?? []))];
}
