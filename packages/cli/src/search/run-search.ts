import type { Mirror } from '@memory-read/mirror';
import { mirrorFolder } from '../mirror/find-mirror.ts';
import { readMirror } from '../mirror/with-mirror.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { chosenFormat, type FormatOptions } from '../output/format-option.ts';
import { jsonDocument } from '../output/json-document.ts';
import { printPaged } from '../output/print-paged.ts';
import { usageError } from '../terminal/command-error.ts';
import { fitToTerminal } from '../terminal/fit-to-terminal.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import { print } from '../terminal/print.ts';
import { explainMiss } from './explain-miss.ts';
import { toJsonResult, toMarkdownResults, toTextResults } from './format-found-memory.ts';
import { type FoundMemory, searchMirror } from './search-mirror.ts';

export interface SearchRun extends MirrorOption, FormatOptions {
  since?: Date | undefined;
  until?: Date | undefined;
  /** Maximum number of memories. */
  limit: number;
  /** Label of a speaker, or name of a person. */
  speaker?: string | undefined;
  /** Whether to print the nearest memories if none has all words. */
  partial?: boolean | undefined;
}

/** Prints the memories of a mirror that match the words. */
export async function runSearch(
  words: readonly string[],
  { since, until, speaker, limit, partial = false, ...options }: SearchRun,
): Promise<void> {
  if (words.length === 0 && speaker === undefined) {
    throw usageError('the words: there are none. Pass words, or --speaker with a name.');
  }
  const given = withoutOptions(words);
  const conditions = { since, until, speaker };
  const signal = abortOnInterruption(options.process);
  const folder = mirrorFolder(options.process, options.mirror);
  const format = chosenFormat(options);
  const found: FoundMemory[] = [];
  const add = async (memory: FoundMemory) => {
    signal.throwIfAborted();
    // A reader such as `head` gets the first line before the last one is found.
    if (format === 'jsonl') return print(options.process, jsonLine(toJsonResult(memory)), signal);
    found.push(memory);
    return true;
  };
  await readMirror(options, async (mirror) => {
    const query = await toQuery(mirror, given);
    let count = 0;
    for await (const memory of searchMirror(mirror, query, conditions)) {
      if (!(await add(memory))) return;
      count += 1;
      if (count === limit) return;
    }
    if (count > 0) return;
    const { miss } = await mirror.search(query, conditions);
    if (options.quiet !== true)
      note(await explainMiss(mirror, { query, miss, isPartial: partial, folder }, signal), options);
    for (const { missing, ...hit } of partial ? (miss?.nearest ?? []) : []) {
      const { memoryId, name, startedAt } = hit;
      if (!(await add({ memoryId, name, startedAt, match: 'partial', missing, hits: [hit] }))) return;
    }
  });
  if (format === 'json') await printPaged(jsonDocument(found.map(toJsonResult)), options, signal);
  if (format === 'json' || format === 'jsonl') return;
  const text = format === 'text' ? toTextResults(options.process, found) : toMarkdownResults(found);
  await printPaged(fitToTerminal(text, options.process.stdout), options, signal);
}

function withoutOptions(words: readonly string[]): readonly string[] {
  const [option] = words.flatMap((word) => /^--\w[\w-]*/.exec(word) ?? []);
  if (option === undefined) return words;
  throw usageError(`${option}: it follows --, where everything is a word of the query. Write options before --.`);
}

/** Returns the query of the arguments. The shell removes the quotes of a phrase or a label, so they are added again. */
async function toQuery(mirror: Mirror, words: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const word of words) {
    const isQuery = !/\s/.test(word) || word.includes('"') || (await isWholeQuery(mirror, word));
    parts.push(isQuery ? word : word.replace(/^(-?speaker:)?(.*)$/is, '$1"$2"'));
  }
  return parts.join(' ');
}

/** The argument `speaker:Ada promise` is a query unless a speaker is called so. */
async function isWholeQuery(mirror: Mirror, word: string): Promise<boolean> {
  if (/\s-?speaker:\S/i.test(word)) return true;
  const [, speaker] = /^speaker:(.*)$/is.exec(word) ?? [];
  return speaker !== undefined && (await mirror.search('', { speaker, limit: 1 })).hits.length === 0;
}
