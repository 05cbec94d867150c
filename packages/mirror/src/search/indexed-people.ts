import type { MirrorDatabase } from '../database/mirror-database.ts';
import { personReader } from '../people/person-rows.ts';
import { hasPeople } from '../people/stored-names.ts';

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
      `SELECT number FROM person_numbers
      WHERE EXISTS (SELECT 1 FROM namings WHERE namings.number = person_numbers.number AND state = 'certain')`,
    )
    .all();
  const readPerson = personReader(database);
  return rows.flatMap((row) => {
    const number = Number(row.number);
    const person = readPerson(number);
    return person === undefined ? [] : [{ name: person.name, folded: person.folded, number }];
  });
}
