import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { explainStorageError } from '../errors/explain-storage-error.ts';
import { isMirrorError, MirrorError } from '../errors/mirror-error.ts';
import { assertPathType } from '../files/assert-path-type.ts';
import { Hardening } from '../files/hardening.ts';
import { makePrivateFile } from '../files/private-files.ts';
import { foreignJournal } from './open-existing.ts';
import { journalNamesFile } from './read-header.ts';

/** Name of the lock in the folder of a mirror. */
export const LOCK_FILE = 'mirror.lock';

/**
 * Allows only one sync, purge or writing of pages in a folder at a time, and with another file, one delivery to a sink.
 *
 * The operating system holds the lock through a SQLite file that stays empty. So the lock ends with the process, also
 * if the process is killed. Readers do not take it.
 */
export class WriterLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @throws {@link MirrorError} with the code `busy` if another operation holds the lock. */
  static take(
    folder: string,
    action: string,
    hardening = new Hardening(folder),
    { file, holder } = { file: LOCK_FILE, holder: 'another sync, purge or writing of pages is running' },
  ): WriterLock {
    const path = join(folder, file);
    let database: DatabaseSync | undefined;
    try {
      assertPathType('file', path, 'lock');
      if (journalNamesFile(path)) throw foreignJournal(folder);
      makePrivateFile(path, hardening);
      database = new DatabaseSync(path, { timeout: 0 });
      // Without this setting, a journal file would be created and deleted each time.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new WriterLock(database);
    } catch (error) {
      database?.close();
      const explained = explainStorageError(error, `${action} in`, folder);
      if (!isMirrorError(explained) || explained.code !== 'busy') throw explained;
      const reason = `${holder} in ${JSON.stringify(folder)}`;
      throw new MirrorError('busy', `Failed to ${action}: ${reason}. Wait until it has finished, and try again.`);
    }
  }

  release(): void {
    this.#database.close();
  }
}
