import { fold } from '@memory-read/client/search';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { withLargeKeys } from '../database/with-large-keys.ts';
import { namesReader } from '../people/stored-names.ts';
import { keysOf } from './index-keys.ts';
import { marksOf, NAMED_MARK, personMark } from './marks.ts';
import { toUnit } from './read-unit.ts';
import { tokensOf } from './tokens.ts';

/**
 * Marks the texts of a memory in the index with the numbers of the people who speak now. Texts whose mark stays are not
 * written. Call it in the transaction that changes the names.
 */
export function markSpeakers(database: MirrorDatabase, memoryId: string): void {
  const findMemory = statement(database, 'SELECT start_slot, disambiguator FROM memories WHERE memory_id = ?');
  const memory = findMemory.get(memoryId);
  if (memory === undefined) return;
  const { first, last } = keysOf(Number(memory.start_slot), Number(memory.disambiguator));
  const { numbers } = namesReader(database)(memoryId);
  const prepare = (sql: string) => {
    const prepared = statement(database, sql);
    prepared.setReadBigInts(true);
    return prepared;
  };
  const findMarked = prepare('SELECT rowid AS key FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?');
  const findUnits = prepare(
    "SELECT * FROM units WHERE unit_key BETWEEN ? AND ? AND kind = 'transcript' ORDER BY unit_key",
  );
  const remove = prepare('DELETE FROM words WHERE rowid = ?');
  const write = prepare('INSERT INTO words (rowid, tokens, marks) VALUES (?, ?, ?)');
  const textsWith = (mark: string) =>
    new Set(findMarked.all(`marks : "${mark}"`, first, last).map(({ key }) => key as bigint));
  const named = textsWith(NAMED_MARK);
  const byNumber = new Map([...numbers.values()].map((number) => [number, textsWith(personMark(number))]));
  withLargeKeys(database, () => {
    for (const row of findUnits.all(first, last)) {
      const unit = toUnit(row);
      // A damaged text is not found, so its marks do not matter.
      if (unit === undefined || unit.speaker === null) continue;
      const key = row.unit_key as bigint;
      const number = numbers.get(unit.speaker);
      if (number === undefined ? !named.has(key) : byNumber.get(number)?.has(key)) continue;
      const tokens = tokensOf(fold(unit.text));
      if (tokens.length === 0) continue;
      remove.run(key);
      write.run(key, tokens.join(' '), marksOf(unit, number).join(' '));
    }
  });
}
