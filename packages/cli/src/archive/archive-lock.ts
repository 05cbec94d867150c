import { lstatSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileError } from '../files/file-error.ts';

/**
 * Locks a folder, so that only one run writes to it.
 *
 * The operating system holds the lock through an SQLite file that stays empty. So the lock ends with the process, even
 * if the process is killed.
 */
export class ArchiveLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @throws CommandError if another run holds the lock. */
  static take(path: string, folder: string): ArchiveLock {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status && !status.isFile()) throw fileError(path, 'it is not a file. Remove it.');
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(path);
      // A journal file would be created and deleted in each run.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new ArchiveLock(database);
    } catch (error) {
      database?.close();
      throw explain(error, { path, folder });
    }
  }

  release(): void {
    this.#database.close();
  }
}

const busy = 5;
const noDatabase = 26;

function explain(error: unknown, { path, folder }: { path: string; folder: string }): unknown {
  const code = (error as { errcode?: number }).errcode ?? 0;
  if ((code & 0xff) === busy) {
    return fileError(
      folder,
      'another memory-read is using it. Wait until it has finished, then run the command again.',
      {
        cause: error,
      },
    );
  }
  if ((code & 0xff) === noDatabase)
    return fileError(path, 'it was not written by memory-read. Choose another folder, or remove the file.', {
      cause: error,
    });
  const problem = `it cannot be locked (${(error as Error).message}). Choose a folder that this user may write to.`;
  return fileError(folder, problem, { cause: error });
}
