import { type Command, Option } from 'commander';
import { usageError } from '../terminal/command-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { isForPeople } from '../terminal/print-result.ts';

/** Format of the output of a command. */
export type OutputFormat = 'table' | 'text' | 'json' | 'jsonl' | 'markdown';

/** Options of a command whose output has several formats. */
export interface FormatOptions extends OutputOptions {
  format?: OutputFormat | undefined;
  /** False to print long output without a pager. */
  pager?: boolean | undefined;
}

const aliases: Record<string, string> = { md: 'markdown', txt: 'text', ndjson: 'jsonl' };

/** Adds the options of commands whose output has several formats. The first one is for people. */
export function addFormatOptions(command: Command, formats: readonly OutputFormat[]): Command {
  const option = new Option('--format <format>', `how to print it (default: ${formats[0]} on a terminal, else jsonl)`)
    .choices(formats)
    .conflicts('json')
    .argParser((text: string) => parseFormat(text, formats));
  return command
    .addOption(option)
    .option('--json', 'same as --format jsonl (default off a terminal)')
    .option('--no-pager', 'print long output on a terminal without a pager')
    .option('-q, --quiet', 'print only failures on standard error');
}

/** Returns the format that a text of `--format` names. */
export function parseFormat<Format extends string>(text: string, formats: readonly Format[]): Format {
  const format = formats.find((each) => each === (aliases[text] ?? text));
  if (format !== undefined) return format;
  const known = `${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}`;
  throw usageError(`--format: ${JSON.stringify(text)} is not a format. Pass ${known}.`);
}

/** Returns the chosen format; else `people` on a terminal, and JSON Lines elsewhere. */
export function chosenFormat(options: FormatOptions, people: OutputFormat): OutputFormat {
  return options.format ?? (isForPeople(options) ? people : 'jsonl');
}
