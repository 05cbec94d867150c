import { speakerKey } from '@memory-read/client/search';
import { checksumOf } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { namingValues } from '../people/stored-names.ts';

/** Names a speaker; null removes the name. */
export function nameForTest(database: MirrorDatabase, memoryId: string, label: string, person: string | null): void {
  const json = JSON.stringify(label);
  database.prepare('DELETE FROM namings WHERE memory_id = ? AND label = ?').run(memoryId, json);
  if (person !== null) {
    const folded = speakerKey(person);
    const known = database.prepare('SELECT person_key FROM people WHERE folded = ?').get(folded);
    let key = Number(known?.person_key);
    if (known === undefined) {
      const insert = database.prepare('INSERT INTO people (name, folded, is_me, checksum) VALUES (?, ?, 0, 0)');
      key = Number(insert.run(person, folded).lastInsertRowid);
      const { lastInsertRowid: number } = database
        .prepare('INSERT INTO person_numbers (person_key, checksum) VALUES (?, 0)')
        .run(key);
      const numberSum = checksumOf(number, key);
      database.prepare('UPDATE person_numbers SET checksum = ? WHERE number = ?').run(numberSum, number);
      const personSum = checksumOf(key, person, folded, 0);
      database.prepare('UPDATE people SET checksum = ? WHERE person_key = ?').run(personSum, key);
    }
    const number = database.prepare('SELECT number FROM person_numbers WHERE person_key = ?').get(key)?.number;
    const row = { memory_id: memoryId, said: json, label: json, number, at: 0, version: 1, state: 'certain' };
    const whole = { ...row, label_now: json };
    database
      .prepare(
        'INSERT INTO namings (memory_id, said, label, number, at, version, state, label_now, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(...(namingValues(whole) as string[]), checksumOf(...namingValues(whole)));
  }
  database.exec(`DELETE FROM person_numbers WHERE number NOT IN (SELECT number FROM namings WHERE number IS NOT NULL);
    DELETE FROM people WHERE person_key NOT IN (SELECT person_key FROM person_numbers)`);
}

/** Renames a person. */
export function renameForTest(database: MirrorDatabase, person: string, name: string): void {
  const { person_key: key } = database.prepare('SELECT person_key FROM people WHERE name = ?').get(person) ?? {};
  const folded = speakerKey(name);
  database
    .prepare('UPDATE people SET name = ?, folded = ?, checksum = ? WHERE person_key = ?')
    .run(name, folded, checksumOf(key, name, folded, 0), Number(key));
}
