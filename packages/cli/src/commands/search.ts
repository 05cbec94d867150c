import { type Command, Option } from 'commander';
import { addFilterOptions, type FilterOptions, readTimeRange, timesHelp } from '../options/filter-options.ts';
import { addMirrorOption, type MirrorOption } from '../options/mirror-option.ts';
import { parseCount } from '../options/parse-count.ts';
import { addFormatOptions, type FormatOptions } from '../output/format-option.ts';

interface SearchOptions extends MirrorOption, FormatOptions, FilterOptions {
  limit: number;
}

export function defineSearch(command: Command): void {
  command.argument('<words...>', 'words that all have to occur, or phrases in quotes');
  addFormatOptions(addFilterOptions(addMirrorOption(command)), ['text', 'json', 'jsonl', 'markdown'])
    .addOption(
      new Option('--limit <n>', 'maximum number of memories').argParser(parseCount('--limit', 1_000_000)).default(100),
    )
    .addHelpText('after', help)
    .action(runCommand);
}

async function runCommand(words: string[], { since, until, last, timeZone, ...options }: SearchOptions): Promise<void> {
  const range = await readTimeRange({ process: options.process, since, until, last, timeZone });
  const { runSearch } = await import('../search/run-search.ts');
  return runSearch(words, { ...options, ...range });
}

const help = `
Searches names, summaries, takeaways and transcripts of the mirror, newest
memory first. It uses no network. Case and accents are ignored.
Also: begin* for a beginning, speaker:Ann or speaker:"Speaker 2" for a whole
label, and -word to exclude a word. Write it after --, else it is an option.
${timesHelp}

The line of JSON is {"memoryId":…,"name":…,"started_at":…,"matches":[{"field":…,
"text":…,"speaker":…,"offset_seconds":…}]}.
Ends with 0 if nothing is found, and with 2 without a mirror.

Examples:
  memory-read search budget review      # both words, in any order
  memory-read search "budget review" speaker:"Speaker 2" --json
  memory-read search budget -- -draft`;
