import { speakerKey } from '@memory-read/client/search';
import { checksumOf } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { namingValues } from '../people/naming-rows.ts';

/** Inserts the certain name of a speaker into the tables of the people, without marks in the index. */
export function insertName(
  database: MirrorDatabase,
  { memoryId, label, name }: { memoryId: string; label: string; name: string },
): void {
  const folded = speakerKey(name);
  const insertPerson = () => {
    const key = database
      .prepare('INSERT INTO people (name, folded, is_me, checksum) VALUES (?, ?, 0, 0)')
      .run(name, folded).lastInsertRowid;
    database
      .prepare('UPDATE people SET checksum = ? WHERE person_key = ?')
      .run(checksumOf(key, name, folded, 0), Number(key));
    const { lastInsertRowid } = database
      .prepare('INSERT INTO person_numbers (person_key, checksum) VALUES (?, 0)')
      .run(Number(key));
    mapNumber(database, Number(lastInsertRowid), Number(key));
    return Number(lastInsertRowid);
  };
  const known = database
    .prepare('SELECT min(number) AS number FROM people JOIN person_numbers USING (person_key) WHERE folded = ?')
    .get(folded);
  const stored = JSON.stringify(label);
  const row = {
    memory_id: memoryId,
    said: `sha256-${stored}`,
    label: stored,
    number: typeof known?.number === 'number' ? known.number : insertPerson(),
    at: 0,
    version: 1,
    state: 'certain',
    label_now: stored,
  };
  const columns = Object.keys(row);
  database
    .prepare(
      `INSERT OR REPLACE INTO namings (${columns.join(', ')}, checksum) VALUES (${columns.map(() => '?').join(', ')}, ?)`,
    )
    .run(...Object.values(row), checksumOf(...namingValues(row)));
}

/** Gives a number of a person to another person, as a merge does. */
export function mapNumber(database: MirrorDatabase, number: number, personKey: number): void {
  database
    .prepare('UPDATE person_numbers SET person_key = ?, checksum = ? WHERE number = ?')
    .run(personKey, checksumOf(number, personKey), number);
}
