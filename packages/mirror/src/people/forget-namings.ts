import type { MirrorDatabase } from '../database/mirror-database.ts';

/**
 * Removes what the tables of the people say of a memory, the changes to undo, and the people who are named nowhere else.
 * Call it in the transaction of a purge.
 */
export function forgetNamings(_database: MirrorDatabase, _memoryId: string): void {}
