import type { MirrorDatabase } from '../database/mirror-database.ts';

/**
 * Removes what the tables of the people say of a memory, the changes to undo, and the people who are named nowhere else.
 * Call it in the transaction of a purge.
 */
export function forgetNamings(database: MirrorDatabase, memoryId: string): void {
  database.prepare('DELETE FROM namings WHERE memory_id = ?').run(memoryId);
  database.exec(`
    DELETE FROM people_changes;
    DELETE FROM person_numbers WHERE number NOT IN (SELECT number FROM namings WHERE number IS NOT NULL);
    DELETE FROM people WHERE person_key NOT IN (SELECT person_key FROM person_numbers);
  `);
}
