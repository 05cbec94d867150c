import { hasChecksum } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { toPerson } from '../people/person-rows.ts';
import { hasPeople } from '../people/stored-names.ts';

/** A person whose name a speaker has, with a number that represents the person in the index. */
export interface IndexedPerson {
  name: string;
  folded: string;
  number: number;
}

/**
 * Returns the people whose names are certain in a memory, because a doubtful name decides nothing. A person with several
 * numbers is there several times.
 */
export function readIndexedPeople(database: MirrorDatabase): IndexedPerson[] {
  if (!hasPeople(database)) return [];
  const rows = database
    .prepare(
      `SELECT people.*, number, person_numbers.checksum AS number_checksum
      FROM person_numbers JOIN people USING (person_key)
      WHERE EXISTS (SELECT 1 FROM namings WHERE namings.number = person_numbers.number AND state = 'certain')`,
    )
    .all();
  return rows.flatMap((row) => {
    const person = hasChecksum(row.number_checksum, row.number, row.person_key) ? toPerson(row) : undefined;
    return person === undefined ? [] : [{ name: person.name, folded: person.folded, number: Number(row.number) }];
  });
}
