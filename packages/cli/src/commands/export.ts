import type { ExportFormat } from '@memory-read/mirror';
import type { Command } from 'commander';
import { saveDocument } from '../files/save-document.ts';
import { memoryArgument } from '../ids/find-memory.ts';
import { readMemory, withNames } from '../mirror/read-memory.ts';
import { addConnectionOptions } from '../options/connection-options.ts';
import { addExportOptions, assertNoOptionOfAll, type ExportOptions, exportAll } from '../options/export-options.ts';
import { timesHelp } from '../options/filter-options.ts';
import { assertInsteadOfServer } from '../options/mirror-option.ts';
import { formatOfFile, formatOption, parseFormat } from '../output/format-option.ts';
import { outputPath } from '../output/output-path.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { fitToTerminal } from '../terminal/fit-to-terminal.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import { addOutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { shellQuoted } from '../terminal/shell-quoted.ts';
import { visibleText } from '../terminal/visible-text.ts';

interface ExportCommandOptions extends ExportOptions {
  format?: ExportFormat[] | undefined;
  media?: boolean | undefined;
  output?: string | undefined;
}

/** The mirror is not loaded to read the command line. */
const formats: readonly ExportFormat[] = ['srt', 'vtt', 'text', 'markdown', 'json'];

export function define(command: Command): void {
  command
    .argument('[memory-id]', `${memoryArgument}; with --all, the folder to write to`)
    .addOption(
      formatOption(
        '--format <formats>',
        'what to write (default: by the name of --output, or text on a terminal); with --all, several with commas',
        formats,
      ).argParser(parseFormats),
    )
    .option('--media', 'with --all: also audio, video and preview images')
    .option('-o, --output <file>', 'file or folder to write to (default: standard output)')
    .option(
      '--mirror <dir>',
      'read this mirror, not a server; with --all, sync it (default with --all: MEMORY_READ_MIRROR, or memories)',
    );
  addOutputOptions(addConnectionOptions(addExportOptions(command)))
    .addHelpText('after', help)
    .action(runExport);
}

function parseFormats(text: string, before: readonly ExportFormat[] = []): ExportFormat[] {
  const given = text.split(',').map((each) => parseFormat(each.trim(), formats));
  return [...new Set([...before, ...given])];
}

const help = `${timesHelp}

Text has one line for each turn. Markdown has front matter, the summary and the
transcript. JSON is the memory without its media URLs. With --mirror, texts of
one memory show the names of the speakers, and JSON has speaker_names. The files
of --all have labels.

With --all, the mirror is synced, and its files are written to the folder. A run
without changes sends one request. Media share their space with the mirror if
the disk can do that. Files are renamed with their memory, and removed by purge.
A file that you changed stays: the new version is written beside it.
Names are made of {date}, {time}, {year}, {month}, {day}, {name}, {id} and
{memory_id}; / makes folders. Subtitles have the name of the media beside them.

Lines of JSON: {"event":"saved","memoryId":…,"part":…,"path":…}, "renamed",
"removed", "kept" for a file that you changed, "failed" with an "error", and at
the end {"event":"exported","complete":…}. With --dry-run, "would_save" and
"would_rename".
Ends with 1 if the format needs a transcript and there is none, or if a file
failed; the others are written. Ends with 4 if the memory does not exist.

Examples:
  memory-read export latest --output talk.srt
  memory-read export mem_1 --format srt > mem_1.srt
  memory-read export --all talks --format srt,markdown --media
  memory-read export --all notes --format markdown --name "{year}/{date} {name}"`;

async function runExport(
  target: string | undefined,
  { format = [], media, output, ...options }: ExportCommandOptions,
): Promise<void> {
  if (target === undefined) {
    const given = `memory-read export --all FOLDER --format ${format.join(',') || 'markdown'}`;
    throw needed(`${options.all ? '--all needs a folder. Run' : 'a memory id is needed. Pass one, or run'} ${given}.`);
  }
  if (options.all) {
    if (output !== undefined) throw usageError('--output: with --all, the folder is the argument. Leave it out.');
    if (format.length === 0 && !media && options.kind === undefined) {
      throw needed(`nothing is chosen. Pass --format ${formats.join(',')}, or --media.`);
    }
    return exportAll(target, { event: 'exported', formats: format, media: media === true }, options);
  }
  assertNoOptionOfAll(options, { media });
  const [only = formatByDefault({ ...options, output }), other] = format;
  if (only === undefined) {
    const known = formats.join(', ');
    throw needed(`a format is needed. Pass --format with one of ${known}. Or name a file such as --output talk.srt.`);
  }
  if (other !== undefined) throw usageError('--format: one memory is written in one format. Pass one.');
  return exportOne(target, only, { ...options, output });
}

function formatByDefault({ process, json, output }: ExportCommandOptions): ExportFormat | undefined {
  if (json) return 'json';
  if (output !== undefined && output !== '-') return formatOfFile(output, formats);
  return process.stdout.isTTY ? 'text' : undefined;
}

function needed(problem: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to export: ${problem}`);
}

async function exportOne(
  memoryId: string,
  format: ExportFormat,
  { output, ...options }: ExportCommandOptions,
): Promise<void> {
  assertInsteadOfServer(options);
  const signal = abortOnInterruption(options.process);
  const found = await readMemory(memoryId, options, { signal, lastWords: true });
  const { memory, names } = found;
  const { renameSpeakers } = await import('@memory-read/client/transcript');
  const { fileNames, toDocument } = await import('@memory-read/mirror');
  const text = toDocument(format === 'json' ? withNames(found) : renameSpeakers(memory, names), format);
  if (text === undefined) {
    const problem = memory.is_processing
      ? `it has no transcript yet. Run memory-read wait ${shellQuoted(memory.id)} first.`
      : 'it has no transcript. Use --format markdown or json.';
    const message = `Failed to export ${JSON.stringify(memory.id)} as ${format}: ${problem}`;
    throw new CommandError(exitCodes.failed, message);
  }
  if (output !== undefined && output !== '-') {
    const path = await outputPath(output, () => fileNames(memory)[format]);
    await saveDocument(path, text, signal);
    if (options.process.stderr.isTTY) note(`Saved ${path}.`, options);
  } else {
    const { stdout } = options.process;
    const shown = format === 'json' ? visibleText(text) : fitToTerminal(visibleText(text), stdout);
    await print(options.process, stdout.isTTY ? shown : text, signal);
  }
}
