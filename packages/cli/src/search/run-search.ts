import { findMirror } from '../mirror/find-mirror.ts';
import { withMirror } from '../mirror/with-mirror.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { toJsonResult, toText } from './format-found-memory.ts';
import { searchMirror } from './search-mirror.ts';
import { toQuery } from './to-query.ts';

/** Options of a search. */
export interface SearchRun extends MirrorOption, OutputOptions {
  since?: Date | undefined;
  until?: Date | undefined;
  /** Maximum number of memories. */
  limit: number;
}

/** Prints the memories of a mirror that have all words. */
export async function runSearch(
  words: readonly string[],
  { since, until, limit, ...options }: SearchRun,
): Promise<void> {
  const signal = abortOnInterruption();
  const folder = findMirror(options.mirror);
  await withMirror({ folder, readOnly: true }, async (mirror) => {
    let printed = 0;
    for await (const found of searchMirror(mirror, toQuery(words), { since, until })) {
      signal.throwIfAborted();
      if (!(await printResult({ json: toJsonResult(found), text: toText(found) }, options, signal))) return;
      printed += 1;
      if (printed === limit) return;
    }
    if (printed === 0 && process.stderr.isTTY) note('No memory of the mirror has all these words.', options);
  });
}
