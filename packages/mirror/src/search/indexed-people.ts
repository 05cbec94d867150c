import type { MirrorDatabase } from '../database/mirror-database.ts';
import { hasPeople, isWholePerson } from '../people/stored-names.ts';

/** A person whose name a speaker has, with one of the numbers that represent the person in the index. */
export interface IndexedPerson {
  name: string;
  folded: string;
  number: number;
}

/** Returns the people whose names are certain in a memory. A person with several numbers is there several times. */
export function readIndexedPeople(database: MirrorDatabase): IndexedPerson[] {
  if (!hasPeople(database)) return [];
  const rows = database
    .prepare(
      `SELECT number, person_numbers.checksum AS number_checksum, people.*, people.checksum AS person_checksum
      FROM person_numbers JOIN people USING (person_key)
      WHERE EXISTS (SELECT 1 FROM namings WHERE namings.number = person_numbers.number AND state = 'certain')`,
    )
    .all();
  return rows
    .filter(isWholePerson)
    .map(({ name, folded, number }) => ({ name: String(name), folded: String(folded), number: Number(number) }));
}
