import type { Memory } from '@memory-read/contract';

/** Number of hits on a first page. */
export const pageLength = 20;

/** Another way to search turns: all words of a query have to be in one turn. */
export interface SearchPeer {
  /** Returns the first page. A query is words, a `beginning*` or a `"phrase"`. */
  search(query: string): unknown[];
  close(): void;
}

/** Returns the texts of the turns: two segments in a row have the same speaker. */
export function turnsOf({ transcript }: Memory): string[] {
  const segments = transcript?.segments ?? [];
  const texts: string[] = [];
  for (let at = 0; at < segments.length; at += 2) texts.push(`${segments[at]?.text} ${segments[at + 1]?.text ?? ''}`);
  return texts;
}
