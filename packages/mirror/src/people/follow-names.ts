import type { Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';

/** A name that has become doubtful. */
export interface NewDoubt {
  /** Label of the speaker when the person was named. */
  label: string;
  person: string;
}

/**
 * Resolves the names of a memory for the version that is about to be indexed, and returns those that became doubtful.
 * Call it in the transaction that writes the version, before the index.
 */
export function followNames(_database: MirrorDatabase, _version: { memory: Memory; version: number }): NewDoubt[] {
  return [];
}
