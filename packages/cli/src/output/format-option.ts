import { type Command, Option } from 'commander';
import { usageError } from '../terminal/command-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { isForPeople } from '../terminal/print-result.ts';

/** All formats, with their other names. Each name is also the ending of a file. */
const namesOf = {
  text: ['text', 'txt', 'table'],
  markdown: ['markdown', 'md'],
  json: ['json'],
  jsonl: ['jsonl', 'ndjson'],
  srt: ['srt'],
  vtt: ['vtt'],
} as const;

type Format = keyof typeof namesOf;

/** Format of what a command prints. */
export type OutputFormat = 'text' | 'markdown' | 'json' | 'jsonl';

const outputFormats: readonly OutputFormat[] = ['text', 'markdown', 'json', 'jsonl'];

/** Options of commands whose output can go through a pager. */
export interface PagerOptions extends OutputOptions {
  /** False to print long output without a pager. */
  pager?: boolean | undefined;
}

export interface FormatOptions extends PagerOptions {
  format?: OutputFormat | undefined;
}

export function addFormatOptions(command: Command): Command {
  const option = formatOption(
    '--format <format>',
    'how to print it (default: text on a terminal, else jsonl)',
    outputFormats,
  );
  command
    .addOption(option.conflicts('json').argParser((text: string) => parseFormat(text, outputFormats)))
    .option('--json', 'same as --format jsonl (default off a terminal)');
  return addPagerOptions(command);
}

/** Adds the options of commands whose output can go through a pager. */
export function addPagerOptions(command: Command): Command {
  return command
    .option('--no-pager', 'print long output on a terminal without a pager')
    .option('-q, --quiet', 'print only failures on standard error');
}

/** Returns an option whose help and completion have all names of the formats. */
export function formatOption(flags: string, description: string, formats: readonly Format[]): Option {
  return new Option(flags, description).choices(formats.flatMap((format) => namesOf[format]));
}

/** Returns the format with a name of `--format`. */
export function parseFormat<Known extends Format>(text: string, formats: readonly Known[]): Known {
  const format = formatNamed(text, formats);
  if (format !== undefined) return format;
  throw usageError(`--format: ${JSON.stringify(text)} is not a format. Pass ${listed(formats)}.`);
}

/**
 * Returns the format that the ending of a file names.
 *
 * @throws CommandError if it names a format that the command does not have.
 */
export function formatOfFile<Known extends Format>(path: string, formats: readonly Known[]): Known | undefined {
  const [, ending = ''] = /[^/\\]\.(\w+)$/.exec(path) ?? [];
  const name = ending.toLowerCase();
  const format = formatNamed(name, formats);
  if (format !== undefined || formatNamed(name, Object.keys(namesOf) as Format[]) === undefined) return format;
  const problem = `${JSON.stringify(path)} ends with the name of another format`;
  throw usageError(`--output: ${problem}. Pass --format ${listed(formats)}.`);
}

function listed(formats: readonly Format[]): string {
  return `${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}`;
}

function formatNamed<Known extends Format>(name: string, formats: readonly Known[]): Known | undefined {
  return formats.find((format) => (namesOf[format] as readonly string[]).includes(name));
}

/** Returns the chosen format; else text on a terminal, and JSON Lines elsewhere. */
export function chosenFormat(options: FormatOptions): OutputFormat {
  return options.format ?? (isForPeople(options) ? 'text' : 'jsonl');
}
