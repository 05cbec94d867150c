import type { Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { namesReader, type StoredNames } from './stored-names.ts';

/** Returns the certain names of any version of a memory. A version without words has none, unless search uses it. */
export function namesOfVersion(database: MirrorDatabase, { id }: Memory, _version: number): StoredNames {
  return namesReader(database)(id);
}
