import { findMirror } from '../mirror/find-mirror.ts';
import { withMirror } from '../mirror/with-mirror.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { chosenFormat, type FormatOptions } from '../output/format-option.ts';
import { jsonDocument } from '../output/json-document.ts';
import { printPaged } from '../output/print-paged.ts';
import { usageError } from '../terminal/command-error.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import { print } from '../terminal/print.ts';
import { toJsonResult, toMarkdownResult, toText } from './format-found-memory.ts';
import { type FoundMemory, searchMirror } from './search-mirror.ts';
import { toQuery } from './to-query.ts';

/** Options of a search. */
export interface SearchRun extends MirrorOption, FormatOptions {
  since?: Date | undefined;
  until?: Date | undefined;
  /** Maximum number of memories. */
  limit: number;
}

/** Prints the memories of a mirror that match the words. */
export async function runSearch(
  words: readonly string[],
  { since, until, limit, ...options }: SearchRun,
): Promise<void> {
  const query = toQuery(withoutOptions(words));
  const signal = abortOnInterruption(options.process);
  const folder = findMirror(options.process, options.mirror);
  const format = chosenFormat(options, 'text');
  const found: FoundMemory[] = [];
  await withMirror({ folder, readOnly: true }, async (mirror) => {
    let count = 0;
    for await (const memory of searchMirror(mirror, query, { since, until })) {
      signal.throwIfAborted();
      // A reader such as `head` gets the first line before the last one is found.
      if (format !== 'jsonl') found.push(memory);
      else if (!(await print(options.process, jsonLine(toJsonResult(memory)), signal))) return;
      count += 1;
      if (count === limit) return;
    }
    if (count === 0) noteNothing(query, since !== undefined || until !== undefined, options);
  });
  if (format === 'json') await printPaged(jsonDocument(found.map(toJsonResult)), options, signal);
  if (format === 'text') await printPaged(found.map((memory) => `${toText(memory)}\n`).join(''), options, signal);
  if (format === 'markdown') await printPaged(found.map(toMarkdownResult).join('\n'), options, signal);
}

function withoutOptions(words: readonly string[]): readonly string[] {
  const [option] = words.flatMap((word) => /^--\w[\w-]*/.exec(word) ?? []);
  if (option === undefined) return words;
  throw usageError(`${option}: it follows --, where everything is a word of the query. Write options before --.`);
}

/** Off a terminal, an empty output is enough, unless the query has a usual mistake. */
function noteNothing(query: string, isLimited: boolean, options: FormatOptions): void {
  const isTerminal = options.process.stderr.isTTY;
  const advice = [
    /speaker:/i.test(query)
      ? ' A label must be complete and follow speaker: directly, as in speaker:"Speaker 2".'
      : /(?:^| )-?"\S+ /.test(query) && ' Leave out the quotes to find words that do not follow each other.',
    /(?:^| )-?\w{1,2}\*(?= |$)/.test(query) && ' The beginning of a word, such as xyz*, needs 3 characters.',
    isTerminal && isLimited && ' Without --since, --until and --last, all memories are searched.',
  ]
    .filter(Boolean)
    .join('');
  if (advice || isTerminal) note(`No name, summary, takeaway or turn has all these words.${advice}`, options);
}
