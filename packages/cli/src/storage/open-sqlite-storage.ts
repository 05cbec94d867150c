import { statSync } from 'node:fs';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { checkByKey, type Storage } from './storage.ts';

/**
 * The storage in the SQLite file, which is ready only while the file is where it was opened: what was moved away is
 * still read and written, but a command that makes or revokes a key would open another one.
 *
 * @throws SqliteStoreError when the file cannot be used; it is left as it was.
 */
export function openSqliteStorage(path: string): Storage {
  const store = openSqliteStore({ path });
  const opened = identityOf(path);
  return {
    ...store,
    async checkReadiness() {
      if (identityOf(path) !== opened) throw replacedError(path);
      await checkByKey(store);
    },
  };
}

function identityOf(path: string): string | undefined {
  // There, a file may get another number without being another one.
  if (process.platform === 'win32') return undefined;
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

function replacedError(path: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `Failed to use ${path}: because the file that was opened is no longer there. Put it back, or start again.`,
  );
}
