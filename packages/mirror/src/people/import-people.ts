import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { PeopleImport } from './people-types.ts';

/** Imports the lines of a file of people, all or none. */
export async function importPeople(
  _database: MirrorDatabase,
  _file: string | AsyncIterable<string>,
  _now: number,
): Promise<PeopleImport> {
  throw new Error('TODO');
}
