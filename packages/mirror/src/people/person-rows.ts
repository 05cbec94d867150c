import { checksumOf, hasChecksum } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { MirrorError } from '../errors/mirror-error.ts';

/** A row of `people`. */
export interface StoredPerson {
  key: number;
  name: string;
  folded: string;
  isMe: boolean;
}

/**
 * Returns the person with a folded name; undefined if there is no such person.
 *
 * @throws {@link MirrorError} with the code `damaged`, because two people would get the same name.
 */
export function findPerson(database: MirrorDatabase, action: string, folded: string): StoredPerson | undefined {
  const row = statement(database, 'SELECT * FROM people WHERE folded = ?').get(folded);
  if (row === undefined) return undefined;
  const person = toPerson(row);
  if (person !== undefined) return person;
  const reason = 'a person with this name is damaged in the mirror';
  throw new MirrorError(
    'damaged',
    `Failed to ${action}: ${reason}. Repair the mirror, then import your file of names.`,
  );
}

/** Returns all people, without damaged ones. */
export function readPeople(database: MirrorDatabase): StoredPerson[] {
  const rows = statement(database, 'SELECT * FROM people ORDER BY folded').all();
  return rows.flatMap((row) => toPerson(row) ?? []);
}

/** Returns the person with a key; undefined if there is no such person, or if it is damaged. */
export function readPerson(database: MirrorDatabase, key: number): StoredPerson | undefined {
  const row = statement(database, 'SELECT * FROM people WHERE person_key = ?').get(key);
  return row && toPerson(row);
}

const selectNumbered = `SELECT people.*, number, person_numbers.checksum AS number_checksum
FROM person_numbers JOIN people USING (person_key)`;

/** A person, with a number that stands for the person. */
export interface NumberedPerson extends StoredPerson {
  number: number;
}

/** Returns a function that reads the person for whom a number stands; undefined if there is no such person, or after damage. */
export function personReader(database: MirrorDatabase): (number: number | null) => NumberedPerson | undefined {
  const find = statement(database, `${selectNumbered} WHERE number = ?`);
  return (number) => {
    const row = find.get(number);
    return row && toNumberedPerson(row);
  };
}

/**
 * Returns the people whose names are certain in a memory, because a doubtful name decides nothing. A person with several
 * numbers is there several times.
 */
export function readCertainPeople(database: MirrorDatabase): NumberedPerson[] {
  const isCertain = "EXISTS (SELECT 1 FROM namings WHERE namings.number = person_numbers.number AND state = 'certain')";
  const rows = database.prepare(`${selectNumbered} WHERE ${isCertain}`).all();
  return rows.flatMap((row) => toNumberedPerson(row) ?? []);
}

function toNumberedPerson(row: Readonly<Record<string, unknown>>): NumberedPerson | undefined {
  const person = hasChecksum(row.number_checksum, row.number, row.person_key) ? toPerson(row) : undefined;
  return person && { ...person, number: Number(row.number) };
}

/** Writes a person in the place of the one with the same key. */
export function writePerson(database: MirrorDatabase, { key, name, folded, isMe }: StoredPerson): void {
  const me = isMe ? 1 : 0;
  statement(
    database,
    `INSERT INTO people (person_key, name, folded, is_me, checksum) VALUES (?, ?, ?, ?, ?) ON CONFLICT (person_key)
    DO UPDATE SET name = excluded.name, folded = excluded.folded, is_me = excluded.is_me, checksum = excluded.checksum`,
  ).run(key, name, folded, me, checksumOf(key, name, folded, me));
}

/** Returns the key of the person that a number stands for; undefined if there is no such person, or if the row is damaged. */
export function personOfNumber(database: MirrorDatabase, number: number): number | undefined {
  const row = statement(database, 'SELECT * FROM person_numbers WHERE number = ?').get(number);
  return row && hasChecksum(row.checksum, row.number, row.person_key) ? Number(row.person_key) : undefined;
}

/** Returns the numbers of a person, without damaged ones. */
export function numbersOf(database: MirrorDatabase, key: number): number[] {
  const rows = statement(database, 'SELECT * FROM person_numbers WHERE person_key = ? ORDER BY number').all(key);
  return rows
    .filter((row) => hasChecksum(row.checksum, row.number, row.person_key))
    .map(({ number }) => Number(number));
}

/** Makes a number stand for a person. */
export function writeNumber(database: MirrorDatabase, number: number, key: number): void {
  const write = 'INSERT OR REPLACE INTO person_numbers (number, person_key, checksum) VALUES (?, ?, ?)';
  statement(database, write).run(number, key, checksumOf(number, key));
}

/** Removes numbers that no decision has, and people without a number. */
export function removeUnnamed(database: MirrorDatabase): void {
  database.exec(`
    DELETE FROM person_numbers WHERE number NOT IN (SELECT number FROM namings WHERE number IS NOT NULL);
    DELETE FROM people WHERE person_key NOT IN (SELECT person_key FROM person_numbers);
  `);
}

/** Returns a key that no row of a table had before, because a key in the index or in a change must not get another meaning. */
export function unusedKey(database: MirrorDatabase, table: 'people' | 'person_numbers'): number {
  const row = statement(database, 'SELECT seq FROM sqlite_sequence WHERE name = ?').get(table);
  return Number(row?.seq ?? 0) + 1;
}

/** Returns a row of `people` as a person; undefined if it is damaged. */
export function toPerson({ person_key, name, folded, is_me, checksum }: Readonly<Record<string, unknown>>) {
  if (!hasChecksum(checksum, person_key, name, folded, is_me)) return undefined;
  return { key: Number(person_key), name: String(name), folded: String(folded), isMe: is_me === 1 };
}
