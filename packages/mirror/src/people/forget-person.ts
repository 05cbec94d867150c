import { speakerKey } from '@memory-read/client/search';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { DerivedFiles } from '../files/derived-files.ts';
import { mirrorFolder } from '../pages/write-pages.ts';
import { type FinishedPurge, finishPurges } from '../purge/finish-purges.ts';
import { namesPurge, notePurge } from '../purge/pending-purges.ts';
import { formerNames } from './change-images.ts';
import { PeopleChange } from './changes.ts';
import { findNamedFiles } from './find-named-files.ts';
import { toNaming } from './naming-rows.ts';
import { findPerson, type StoredPerson } from './person-rows.ts';

const action = 'forget the person';

/** Returns the name of the purge that forgets a person. */
export function forgetPurge(person: string): string {
  return namesPurge(`person ${speakerKey(person)}`);
}

/**
 * Removes a person, all their names and the bytes of them. Without such a person, it only finishes what has begun.
 * Returns the purges that have ended, also those that began earlier.
 *
 * @throws {@link MirrorError} with the code `busy` if a reader holds the log. `finishPurges` then removes the rest.
 */
export async function forgetPerson(
  storage: MirrorStorage,
  { person, now }: { person: string; now: number },
): Promise<FinishedPurge[]> {
  const { database } = storage;
  const find = () => findPerson(database, action, speakerKey(person));
  const found = find();
  if (found !== undefined) {
    const leftFiles = await findLeftFiles(storage, found);
    // Another process can have renamed the person meanwhile.
    inTransaction(database, () => {
      const still = find();
      if (still !== undefined) deletePerson(database, still, { now, purgeName: forgetPurge(person), leftFiles });
    });
  }
  return finishPurges(storage, action);
}

/** Returns the files with the name that may stay. Files of memories without the person stay as they are. */
async function findLeftFiles(storage: MirrorStorage, person: StoredPerson): Promise<string[]> {
  const { database, folder } = storage;
  const files = await DerivedFiles.open(database, mirrorFolder(storage));
  const keys = database
    .prepare(
      `SELECT DISTINCT memory_key FROM memories JOIN namings USING (memory_id) JOIN person_numbers USING (number)
      WHERE person_key = ?`,
    )
    .all(person.key);
  const memoryKeys = new Set(keys.map(({ memory_key }) => Number(memory_key)));
  const names = [...new Set([person.name, ...formerNames(database, person)])];
  return findNamedFiles(folder, names, files.stampsExcept(memoryKeys));
}

/** Deletes a person for readers in one step, and records that files and freed pages of the database remain. */
function deletePerson(
  database: MirrorDatabase,
  { key }: StoredPerson,
  { now, purgeName, leftFiles }: { now: number; purgeName: string; leftFiles: readonly string[] },
): void {
  const rows = database
    .prepare('SELECT namings.* FROM namings JOIN person_numbers USING (number) WHERE person_key = ?')
    .all(key);
  const change = new PeopleChange(database, { action, now });
  for (const row of rows) {
    const naming = toNaming(row);
    if (naming !== undefined) change.remove(naming);
    // A removal of a damaged decision could be about another speaker.
    else database.prepare('DELETE FROM namings WHERE naming_key = ?').run(Number(row.naming_key));
  }
  change.finish();
  database.prepare('DELETE FROM person_numbers WHERE person_key = ?').run(key);
  database.prepare('DELETE FROM people WHERE person_key = ?').run(key);
  database.exec('DELETE FROM people_changes');
  notePurge(database, { purgeName, leftFiles });
}
