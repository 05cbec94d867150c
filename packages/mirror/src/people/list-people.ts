import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { readIndexedVersion } from '../history/indexed-version.ts';
import { ifWhole } from '../history/stored-version.ts';
import { namingsOf, toNaming } from './naming-rows.ts';
import type { Doubt, Person } from './people-types.ts';
import { personReader, readPeople, type StoredPerson } from './person-rows.ts';
import { hasPeople } from './stored-names.ts';

/** Returns all people, in the order of their folded names. */
export function listPeople(database: MirrorDatabase): Person[] {
  if (!hasPeople(database)) return [];
  return inSnapshot(database, () => readPeople(database).map((person) => toListedPerson(database, person)));
}

/** Returns a person with the numbers of their memories. */
export function toListedPerson(database: MirrorDatabase, person: StoredPerson): Person {
  const namings = namingsOf(database, person);
  const memoriesOf = (wanted: string) =>
    new Set(namings.filter(({ state }) => state === wanted).map(({ memoryId }) => memoryId));
  const certain = memoriesOf('certain');
  const doubtful = [...memoriesOf('doubtful')].filter((memoryId) => !certain.has(memoryId));
  return { name: person.name, isMe: person.isMe, memories: certain.size, doubtful: doubtful.length };
}

/** Returns the doubtful names, those of the newest memory first. */
export function listDoubts(database: MirrorDatabase): Doubt[] {
  if (!hasPeople(database)) return [];
  return inSnapshot(database, () => {
    const rows = database
      .prepare(
        `SELECT namings.* FROM namings JOIN memories USING (memory_id) WHERE state = 'doubtful'
        ORDER BY memories.started_at DESC, memory_key DESC, at, said`,
      )
      .all();
    const readPerson = personReader(database);
    return rows.flatMap((row) => {
      const naming = toNaming(row);
      if (naming === undefined) return [];
      const { memoryId, label, labelNow: likely } = naming;
      const person = readPerson(naming.number);
      const memory = ifWhole(() => readIndexedVersion(database, memoryId))?.memory;
      if (person === undefined || memory === undefined) return [];
      return [{ memoryId, name: memory.name, startedAt: memory.started_at, person: person.name, label, likely }];
    });
  });
}
