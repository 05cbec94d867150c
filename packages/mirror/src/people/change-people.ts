import { speakerKey } from '@memory-read/client/search';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { readImages } from './change-images.ts';
import { inChange, PeopleChange } from './changes.ts';
import { toListedPerson } from './list-people.ts';
import { findNaming, type Naming, namingsOf } from './naming-rows.ts';
import { nameTaken, unknownPerson } from './people-errors.ts';
import type { Person } from './people-types.ts';
import { numbersOf, readPerson, type StoredPerson } from './person-rows.ts';
import { readName } from './read-name.ts';

/** Renames a person in all memories. */
export function renamePerson(
  database: MirrorDatabase,
  { person, name, now }: { person: string; name: string; now: number },
): Person {
  const action = 'rename the person';
  const { name: newName, folded } = readName(action, name);
  return inChange(database, { action, now }, (change) => {
    const renamed = personCalled(change, action, person);
    const other = change.findPerson(folded);
    if (other !== undefined && other.key !== renamed.key) throw nameTaken(renamed.name, other.name);
    if (newName !== renamed.name) {
      change.writePerson({ ...renamed, name: newName, folded });
      for (const naming of namingsOf(database, renamed)) change.renew(naming);
    }
    return () => listed(database, renamed);
  });
}

/** Makes two people one. */
export function mergePeople(
  database: MirrorDatabase,
  { person, into, now }: { person: string; into: string; now: number },
): Person {
  const action = 'merge the people';
  return inChange(database, { action, now }, (change) => {
    const merged = personCalled(change, action, person);
    const target = personCalled(change, action, into);
    if (merged.key !== target.key) {
      for (const naming of namingsOf(database, merged)) change.renew(naming);
      for (const number of numbersOf(database, merged.key)) change.giveNumber(number, target.key);
      if (merged.isMe) change.markMe(target.key);
    }
    return () => listed(database, target);
  });
}

/** Takes back the newest change, and returns whether there was one. */
export function undoChange(database: MirrorDatabase, now: number): boolean {
  const action = 'undo the change';
  return inTransaction(database, () => {
    const row = database.prepare('SELECT * FROM people_changes ORDER BY change_key DESC LIMIT 1').get();
    if (row === undefined) return false;
    const images = readImages(row.before);
    if (images === undefined) {
      const reason = 'what was before is damaged in the mirror';
      throw new MirrorError('damaged', `Failed to ${action}: ${reason}. Restore mirror.sqlite from a backup.`);
    }
    const change = new PeopleChange(database, { action, now });
    for (const [, before] of images.people) if (before !== null) change.writePerson(before);
    for (const [number, before] of images.numbers) if (before !== null) change.giveNumber(number, before);
    for (const [memoryId, said, before] of images.namings)
      restore(change, findNaming(database, memoryId, said), before);
    change.finish();
    database.prepare('DELETE FROM people_changes WHERE change_key = ?').run(Number(row.change_key));
    return true;
  });
}

/**
 * What did not exist before becomes a removal, so that an old file does not bring it back. A decision of which only the
 * person changed is still resolved, so the memory is not read.
 */
function restore(change: PeopleChange, current: Naming | undefined, before: Naming | null): void {
  if (before?.number == null) {
    if (current?.number != null) change.remove(current);
  } else if (current !== undefined && isOfSameSpeaker(current, before)) {
    change.renew(current);
  } else {
    change.decide({ ...before, at: undefined });
  }
}

function isOfSameSpeaker(current: Naming, { number, label, version }: Naming): boolean {
  return current.number === number && current.label === label && current.version === (version ?? current.version);
}

function personCalled(change: PeopleChange, action: string, name: string): StoredPerson {
  const person = change.findPerson(speakerKey(name));
  if (person === undefined) throw unknownPerson(action, name);
  return person;
}

/** Returns the person of a change after it. */
function listed(database: MirrorDatabase, { key }: StoredPerson): Person {
  return toListedPerson(database, readPerson(database, key) as StoredPerson);
}
