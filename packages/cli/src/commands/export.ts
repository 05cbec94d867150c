import { type Command, Option } from 'commander';
import { runArchiveCommand } from '../archive/archive-command.ts';
import { type TextFormat, textFormatNames, textFormats } from '../archive/text-formats.ts';
import { fileStem } from '../files/file-stem.ts';
import { saveDocument } from '../files/save-document.ts';
import { withWholeId } from '../ids/complete-id.ts';
import { type ArchiveOptions, addArchiveOptions, readArchiveRange } from '../options/archive-options.ts';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { addFilterOptions, timesHelp } from '../options/filter-options.ts';
import { notEmpty } from '../options/not-empty.ts';
import { openClient } from '../options/open-client.ts';
import { outputPath } from '../output/output-path.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { fitToTerminal } from '../terminal/fit-to-terminal.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { shellQuoted } from '../terminal/shell-quoted.ts';
import { visibleText } from '../terminal/visible-text.ts';

interface ExportOptions extends ConnectionOptions, ArchiveOptions, OutputOptions {
  format: TextFormat;
  all?: boolean | undefined;
  output?: string | undefined;
}

export function defineExport(command: Command): void {
  command
    .argument('[memory-id]', 'id of the memory, or on a terminal its beginning; with --all, the folder to export to')
    .addOption(formatOption())
    .option('--all', 'every memory of the account, one file each')
    .option('--output <file>', 'file or folder to write to (default: standard output)', notEmpty('--output'));
  addFilterOptions(addOutputOptions(addConnectionOptions(addArchiveOptions(command))))
    .addHelpText('after', help)
    .action(runExport);
}

/** Rejects a repeated option, because the first value would be lost silently. */
function formatOption(): Option {
  const option = new Option('--format <format>', 'what to write').choices(textFormatNames).makeOptionMandatory();
  const parse = option.parseArg;
  return option.argParser((text: string, before: unknown) => {
    if (before !== undefined) throw usageError('--format: it was passed twice. Run the command once for each format.');
    return parse?.(text, before);
  });
}

const help = `${timesHelp}

Text has one line for each turn. Markdown has front matter, the summary and the
transcript. JSON is the memory without its media URLs.

With --all, a file keeps its first name. A file that was changed is not
replaced: the run reports it, and ends with 1. The lines of JSON are those of
download --all, and the last one is {"event":"exported",…}.
Ends with 1 if the format needs a transcript and there is none, with 4 if the
memory does not exist.

Examples:
  memory-read export mem_1 --format srt > mem_1.srt
  memory-read export mem_1 --format markdown --output notes.md
  memory-read export --all transcripts --format text --since 2026-11`;

async function runExport(
  target: string | undefined,
  { all, format, concurrency, adopt, dryRun, ...options }: ExportOptions,
): Promise<void> {
  const range = await readArchiveRange({ ...options, adopt, dryRun }, all === true);
  if (target === undefined) {
    const needed = all ? '--all needs a folder. Run' : 'a memory id is needed. Pass one, or run';
    const command = `memory-read export --all FOLDER --format ${format}`;
    throw new CommandError(exitCodes.usage, `Failed to export: ${needed} ${command}.`);
  }
  if (!all) return exportOne(target, format, options);
  if (options.output !== undefined) throw usageError('--output: with --all, the folder is the argument. Leave it out.');
  const path = notEmpty('the folder')(target);
  return runArchiveCommand({ path, event: 'exported', parts: [format], range, concurrency, adopt, dryRun }, options);
}

async function exportOne(
  memoryId: string,
  format: TextFormat,
  { output, ...options }: ConnectionOptions & OutputOptions & Pick<ExportOptions, 'output'>,
): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const client = await openClient(options);
  const memory = await withWholeId(client, memoryId, { ...options, signal }, (id) => client.getMemory(id, { signal }));
  const { needsTranscript, extension, write } = textFormats[format];
  if (needsTranscript && memory.transcript === null) {
    const problem = memory.is_processing
      ? `it has no transcript yet. Run memory-read wait ${shellQuoted(memory.id)} first.`
      : 'it has no transcript. Use --format markdown or json.';
    const message = `Failed to export ${JSON.stringify(memory.id)} as ${format}: ${problem}`;
    throw new CommandError(exitCodes.failed, message);
  }
  const text = write(memory);
  if (output !== undefined && output !== '-') {
    await saveDocument(await outputPath(output, () => `${fileStem(memory)}${extension}`), text, signal);
  } else {
    const { stdout } = options.process;
    const shown = format === 'json' ? visibleText(text) : fitToTerminal(visibleText(text), stdout);
    await print(options.process, stdout.isTTY ? shown : text, signal);
  }
}
