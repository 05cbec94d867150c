import { statSync } from 'node:fs';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { checkReads, type Storage } from './storage.ts';

/**
 * Opens the SQLite file.
 *
 * The storage is ready only while the file stays at its path. A moved file could still be read and written, but a
 * command that creates or revokes a key would open another file.
 *
 * @throws SqliteStoreError if the file cannot be used. It is not changed then.
 */
export function openSqliteStorage(path: string): Storage {
  const store = openSqliteStore({ path });
  const opened = identityOf(path);
  return {
    ...store,
    async checkReadiness() {
      if (identityOf(path) !== opened) throw replacedError(path);
      store.checkSchema();
      await checkReads(store);
    },
  };
}

function identityOf(path: string): string | undefined {
  // On Windows, the inode of a file can change.
  if (process.platform === 'win32') return undefined;
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

function replacedError(path: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `Failed to use ${path}: the open file was removed or replaced. Restore it, or restart the server.`,
  );
}
