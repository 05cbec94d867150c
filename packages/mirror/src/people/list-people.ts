import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { Doubt, Person } from './people-types.ts';

/** Returns all people, in the order of their folded names. */
export function listPeople(_database: MirrorDatabase): Person[] {
  throw new Error('TODO');
}

/** Returns the doubtful names, those of the newest memory first. */
export function listDoubts(_database: MirrorDatabase): Doubt[] {
  throw new Error('TODO');
}
