import type { Term } from '@memory-read/client/search';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { IndexSearch } from './find-hits.ts';
import type { SearchPage } from './search-types.ts';

const MOST_NEAREST = 3;

/** Returns why a query finds nothing in a range. */
export function readMiss(
  database: MirrorDatabase,
  { query: { terms, speakers }, expressions, range, hits }: IndexSearch,
): NonNullable<SearchPage['miss']> {
  const { anywhere, ofMemory, ofSpeaker, selected, selectsAll } = expressions;
  const { memories, inner } = range;
  // The exact starts of memories at the edges of the range are compared.
  const edges = [
    { first: memories.first, last: inner.first > memories.last ? memories.last : inner.first - 1n },
    { first: inner.last < inner.first ? inner.first : inner.last + 1n, last: memories.last },
  ].filter(({ first, last }) => first <= last);

  /** Counts the memories of a statement that returns their keys between two keys. */
  const count = (sql: string, ...expression: string[]) => {
    const { found } = database
      .prepare(`SELECT count(*) AS found FROM (${sql})`)
      .get(...expression, inner.first, inner.last) as { found: number };
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    const atEdges = edges.flatMap(({ first, last }) => statement.all(...expression, first, last));
    return found + atEdges.filter(({ memory }) => range.has(memory as bigint)).length;
  };
  const countTerm = (term: Term) => {
    const expression = ofMemory(term);
    return expression === undefined ? count(ofTexts, anywhere(term)) : count(ofMemories, expression);
  };

  /** Returns the memories with most of the terms, newest first among equals. */
  const nearest = () => {
    if (terms.length === 0) return [];
    const parts = terms.map((term) => (selectsAll ? ofMemory(term) : undefined));
    const sql = parts.map((expression) => (expression === undefined ? ofTexts : ofMemories)).join(' UNION ALL ');
    const statement = database.prepare(
      `SELECT memory FROM (${sql}) GROUP BY memory ORDER BY count(*) DESC, memory DESC`,
    );
    statement.setReadBigInts(true);
    const values = terms.flatMap((term, index) => [parts[index] ?? selected(term), memories.first, memories.last]);
    const keys: bigint[] = [];
    for (const { memory } of statement.iterate(...values)) {
      if (range.has(memory as bigint)) keys.push(memory as bigint);
      if (keys.length === MOST_NEAREST) break;
    }
    return keys;
  };

  const readNearest = (keys: readonly bigint[]) => {
    const descending = [...keys].sort((one, other) => (one > other ? -1 : 1));
    const reader = hits.apart(descending[0] ?? 0n);
    const read = new Map(descending.map((key) => [key, reader.read(key)]));
    reader.close();
    return keys.flatMap((key) => {
      const { hits: found = [], missing = [] } = read.get(key) ?? {};
      const [hit] = found.sort((one, other) => one.lacks.length - other.lacks.length);
      return hit === undefined ? [] : [{ ...hit, missing }];
    });
  };

  return {
    words: terms.map((term) => ({ text: term.text, memories: countTerm(term) })),
    speakers: speakers.map((speaker) => ({ label: speaker.label, memories: count(ofTexts, ofSpeaker(speaker)) })),
    outsideRange: Number(database.prepare('SELECT count(*) AS found FROM memories').get()?.found) - count(ofAll),
    nearest: readNearest(nearest()),
  };
}

const ofMemories = 'SELECT rowid AS memory FROM memory_words WHERE memory_words MATCH ? AND rowid BETWEEN ? AND ?';
const ofTexts = `SELECT DISTINCT rowid >> 16 AS memory FROM words
  WHERE words MATCH ? AND rowid BETWEEN ? << 16 AND (? << 16) + 65535`;
const ofAll = `SELECT start_slot * 8192 + disambiguator AS memory FROM memories
  WHERE start_slot * 8192 + disambiguator BETWEEN ? AND ?`;
