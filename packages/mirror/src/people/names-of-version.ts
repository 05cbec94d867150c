import type { Memory } from '@memory-read/client';
import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { hasWords } from '../history/has-words.ts';
import { namedOf, resolveForVersion } from './follow-names.ts';
import { personReader } from './person-rows.ts';
import { hasPeople, namesOf, namesReader, type StoredNames } from './stored-names.ts';

/** Returns the certain names of any version of a memory. A version without words has none, unless search uses it. */
export function namesOfVersion(database: MirrorDatabase, memory: Memory, version: number): StoredNames {
  if (!hasPeople(database)) return namesOf([], () => undefined);
  return inSnapshot(database, () => {
    const row = database.prepare('SELECT indexed_version FROM memories WHERE memory_id = ?').get(memory.id);
    if (row?.indexed_version === version) return namesReader(database)(memory.id);
    const namings = hasWords(memory) ? namedOf(database, memory.id) : [];
    const resolved = resolveForVersion(database, namings, { memory, version });
    const certain = namings.flatMap(({ number }, index) =>
      resolved[index]?.state === 'certain' ? [{ label: resolved[index].label, number }] : [],
    );
    return namesOf(certain, personReader(database));
  });
}
