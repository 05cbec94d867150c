import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { temporaryPath } from '../files/temporary-path.ts';

const BUSY = 5;

/**
 * Returns whether SQLite can lock a new file of a folder, which no other program knows.
 *
 * On many network shares, SQLite reports every lock as held by another program.
 */
export function canLock(folder: string): boolean {
  const path = temporaryPath(folder);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    // Another failure, such as a folder for reading only, says nothing about locks.
    return ((error as { errcode?: number }).errcode ?? 0) % 256 !== BUSY;
  } finally {
    database?.close();
    rmSync(path, { force: true });
  }
}
