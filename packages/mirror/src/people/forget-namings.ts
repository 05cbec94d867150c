import type { MirrorDatabase } from '../database/mirror-database.ts';
import { removeUnnamed } from './person-rows.ts';

/**
 * Removes what the tables of the people say of a memory, the changes to undo, and the people who are named nowhere else.
 * Call it in the transaction of a purge.
 */
export function forgetNamings(database: MirrorDatabase, memoryId: string): void {
  database.prepare('DELETE FROM namings WHERE memory_id = ?').run(memoryId);
  database.exec('DELETE FROM people_changes');
  removeUnnamed(database);
}
