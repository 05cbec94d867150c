import { MirrorError } from '../errors/mirror-error.ts';
import type { MirrorDatabase } from './mirror-database.ts';
import { withLargeKeys } from './with-large-keys.ts';
import { emptyLog } from './write-back-log.ts';

/**
 * Removes the bytes of deleted rows from the files of the database.
 *
 * @param action - What the caller wanted, for messages.
 *
 * @throws {@link MirrorError} with the code `busy` if a reader still uses the log. The bytes then stay in the log.
 */
export function wipe(database: MirrorDatabase, action = 'finish the purge'): void {
  // The index keeps deleted words until its parts are merged.
  const indexes = database.prepare(
    `SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'`,
  );
  withLargeKeys(database, () => {
    for (const { name } of indexes.all()) database.exec(`INSERT INTO "${name}" ("${name}") VALUES ('optimize')`);
    database.exec('VACUUM');
  });
  const result = emptyLog(database);
  if (result.busy === 0) return;
  const advice = 'Close it and try again, or open the mirror again, which removes the rest';
  const message = `Failed to ${action}: another program is reading the mirror. ${advice}.`;
  throw new MirrorError('busy', message, { cause: result });
}
