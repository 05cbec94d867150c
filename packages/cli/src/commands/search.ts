import { type Command, Option } from 'commander';
import { addFilterOptions, type FilterOptions, readTimeRange, timesHelp } from '../options/filter-options.ts';
import { addMirrorOption, type MirrorOption } from '../options/mirror-option.ts';
import { parseCount } from '../options/parse-count.ts';
import { addFormatOptions, type FormatOptions } from '../output/format-option.ts';

interface SearchOptions extends MirrorOption, FormatOptions, FilterOptions {
  limit: number;
  speaker?: string | undefined;
  partial?: boolean;
}

export function define(command: Command): void {
  command.argument('[words...]', 'words that all have to occur, or phrases in quotes');
  addFormatOptions(addFilterOptions(addMirrorOption(command)))
    .addOption(
      new Option('--limit <n>', 'maximum number of memories').argParser(parseCount('--limit', 1_000_000)).default(100),
    )
    .option('--speaker <name>', 'only what this person or speaker said; the words may be left out')
    .option('--partial', 'if no memory has all words, print those with most of them')
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
A word of 4 letters or more also finds longer words. Quotes find exact words.
Memories with the words in different places follow those with all in one text.
Also: wor* for a beginning, speaker:Ann or speaker:"Speaker 2" for a whole label
or name, or whole words of a name, and -word to exclude a word. Write it after
--, else it is an option.
${timesHelp}

The line of JSON is {"memoryId":…,"name":…,"started_at":…,"match":…,"matches":[
{"field":…,"text":…,"speaker":…,"person":…,"offset_seconds":…,"lacks":[…]}]}.
The speaker is the label. The person is its name, where memory-read name gave
one. The match is together, apart, or with --partial partial and "missing":[…].
Ends with 0 if nothing is found, and with 2 without a mirror.

Examples:
  memory-read search budget review      # both words, in any order
  memory-read search "budget review" speaker:"Speaker 2" --json
  memory-read search promise --speaker Ada
  memory-read search budget -- -draft`;
