import type { DatabaseSync } from 'node:sqlite';

/** An open database of a mirror. */
export type MirrorDatabase = DatabaseSync;
