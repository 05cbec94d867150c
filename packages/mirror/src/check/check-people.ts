import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { hasChecksum } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { readIndexedVersion } from '../history/indexed-version.ts';
import { ifWhole } from '../history/stored-version.ts';
import { readImages } from '../people/change-images.ts';
import { followedNamings } from '../people/follow-names.ts';
import { toNaming } from '../people/naming-rows.ts';
import { readPerson, removeUnnamed, toPerson } from '../people/person-rows.ts';

/**
 * Returns the memories with decisions about speakers that are not as they were written, or do not follow from the versions.
 * `null` stands for a person, a number or a change to undo. Memories of which a version is damaged are not compared.
 */
export async function damagedNames(
  database: MirrorDatabase,
  isUnread: (memoryId: string) => boolean,
): Promise<Set<string | null>> {
  const damaged = new Set<string | null>();
  for (const row of database.prepare('SELECT * FROM people').iterate()) {
    if (toPerson(row) === undefined) damaged.add(null);
  }
  for (const { number, person_key, checksum } of database.prepare('SELECT * FROM person_numbers').iterate()) {
    const isKnown = hasChecksum(checksum, number, person_key) && readPerson(database, Number(person_key)) !== undefined;
    if (!isKnown) damaged.add(null);
  }
  if (lastDamagedChange(database) !== undefined) damaged.add(null);
  const hasNumber = database.prepare('SELECT 1 FROM person_numbers WHERE number = ?');
  const states = new Map<string, Set<string>>();
  for (const row of database.prepare('SELECT * FROM namings').iterate()) {
    const naming = toNaming(row);
    const memoryId = String(row.memory_id);
    const number = naming?.number ?? null;
    if (naming === undefined || (number !== null && hasNumber.get(number) === undefined)) damaged.add(memoryId);
    states.set(memoryId, (states.get(memoryId) ?? new Set()).add(number === null ? 'removed' : (naming?.state ?? '')));
  }
  for (const [memoryId, found] of states) {
    await yieldToEventLoop();
    if (damaged.has(memoryId) || isUnread(memoryId)) continue;
    const indexed = ifWhole(() => readIndexedVersion(database, memoryId));
    const isRight =
      indexed === undefined
        ? [...found].every((state) => ['waiting', 'removed'].includes(state))
        : followedNamings(database, indexed).every(
            ({ naming, next }) => next.state === naming.state && next.labelNow === naming.labelNow,
          );
    if (!isRight) damaged.add(memoryId);
  }
  return damaged;
}

/** Removes the damaged changes that could be undone, and those before them, which can no longer be undone in their order. */
export function removeDamagedChanges(database: MirrorDatabase): void {
  const last = lastDamagedChange(database);
  if (last !== undefined) database.prepare('DELETE FROM people_changes WHERE change_key <= ?').run(last);
}

/** Removes the people, numbers and decisions that are damaged and name no person, so that an import brings them back. */
export function removeDamagedNames(database: MirrorDatabase): void {
  const remove = (table: string, key: string, isLost: (row: Readonly<Record<string, unknown>>) => boolean) => {
    const removal = database.prepare(`DELETE FROM ${table} WHERE ${key} = ?`);
    for (const row of database.prepare(`SELECT * FROM ${table}`).all()) if (isLost(row)) removal.run(Number(row[key]));
  };
  const hasPerson = database.prepare('SELECT 1 FROM people WHERE person_key = ?');
  const hasNumber = database.prepare('SELECT 1 FROM person_numbers WHERE number = ?');
  remove('people', 'person_key', (row) => toPerson(row) === undefined);
  remove('person_numbers', 'number', ({ number, person_key, checksum }) => {
    return !hasChecksum(checksum, number, person_key) || hasPerson.get(person_key as number) === undefined;
  });
  remove('namings', 'naming_key', (row) => {
    const number = toNaming(row)?.number;
    return number === undefined || (number !== null && hasNumber.get(number) === undefined);
  });
  removeUnnamed(database);
}

function lastDamagedChange(database: MirrorDatabase): number | undefined {
  const rows = database.prepare('SELECT * FROM people_changes ORDER BY change_key DESC').all();
  return rows.filter(({ before }) => readImages(before) === undefined).map(({ change_key }) => Number(change_key))[0];
}
