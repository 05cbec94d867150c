import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { Person } from './people-types.ts';

/** Renames a person in all memories. */
export function renamePerson(
  _database: MirrorDatabase,
  _renamed: { person: string; name: string; now: number },
): Person {
  throw new Error('TODO');
}

/** Makes two people one. */
export function mergePeople(_database: MirrorDatabase, _merged: { person: string; into: string; now: number }): Person {
  throw new Error('TODO');
}

/** Takes back the newest change, and returns whether there was one. */
export function undoChange(_database: MirrorDatabase, _now: number): boolean {
  throw new Error('TODO');
}
