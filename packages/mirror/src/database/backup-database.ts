import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainStorageError } from '../errors/explain-storage-error.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { moveFile } from '../files/file-content.ts';
import { temporaryPath } from '../files/temporary-path.ts';
import type { MirrorStorage } from './open-database.ts';
import { openExisting } from './open-existing.ts';

/**
 * Writes a copy of the database to a file that must not exist. The copy has what was committed when it began.
 *
 * It reads through a connection of its own, so that the last key of the caller's connection stays as it is.
 */
export async function backupDatabase(
  { folder, hardening }: MirrorStorage,
  file: string,
  signal: AbortSignal | undefined,
): Promise<{ file: string; size: number }> {
  const temporary = temporaryPath(dirname(file));
  try {
    closeSync(openSync(temporary, 'wx', 0o600));
    hardening.setMode(temporary, 0o600);
    const database = openExisting(folder, { readOnly: true });
    try {
      database.prepare('VACUUM INTO ?').all(temporary);
    } finally {
      database.close();
    }
    const descriptor = openSync(temporary, 'r+');
    try {
      await hardening.sync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    signal?.throwIfAborted();
    const { size } = statSync(temporary);
    if (moveFile(temporary, file)) return { file, size };
    const reason = 'a file with this name exists';
    throw new MirrorError(
      'storage',
      `Failed to write the backup ${JSON.stringify(file)}: ${reason}. Choose another name.`,
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw explainStorageError(error, 'write the backup', file);
  } finally {
    for (const suffix of ['', '-journal']) rmSync(`${temporary}${suffix}`, { force: true });
  }
}
