import { findMirror } from '../mirror/find-mirror.ts';
import { withMirror } from '../mirror/with-mirror.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { chosenFormat, type FormatOptions } from '../output/format-option.ts';
import { jsonDocument } from '../output/json-document.ts';
import { printPaged } from '../output/print-paged.ts';
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
  const signal = abortOnInterruption();
  const folder = findMirror(options.mirror);
  const format = chosenFormat(options, 'text');
  const found: FoundMemory[] = [];
  await withMirror({ folder, readOnly: true }, async (mirror) => {
    let count = 0;
    for await (const memory of searchMirror(mirror, toQuery(words), { since, until })) {
      signal.throwIfAborted();
      // A reader such as `head` gets the first line before the last one is found.
      if (format !== 'jsonl') found.push(memory);
      else if (!(await print(jsonLine(toJsonResult(memory)), signal))) return;
      count += 1;
      if (count === limit) return;
    }
    if (count === 0 && process.stderr.isTTY) note(describeNothing(words), options);
  });
  if (format === 'json') await printPaged(jsonDocument(found.map(toJsonResult)), options, signal);
  if (format === 'text') await printPaged(found.map((memory) => `${toText(memory)}\n`).join(''), options, signal);
  if (format === 'markdown') await printPaged(found.map(toMarkdownResult).join('\n'), options, signal);
}

function describeNothing(words: readonly string[]): string {
  const hasPhrase = words.some((word) => /\s/.test(word) && !/^-?speaker:/i.test(word));
  const advice = hasPhrase ? ' Leave out the quotes to find words that do not follow each other.' : '';
  return `No name, summary, takeaway or turn has all these words.${advice}`;
}
