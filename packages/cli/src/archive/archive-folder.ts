import { lstatSync, mkdirSync, readdirSync, realpathSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { explainFileError, fileError, systemCodeOf } from '../files/file-error.ts';
import { makeDirectory } from '../files/make-directory.ts';
import { ArchiveLock } from './archive-lock.ts';

/** A folder of memories: locked for one run, or opened to read. */
export class ArchiveFolder {
  /** Absolute path. The folder itself may be a symbolic link; links inside it are not followed. */
  readonly path: string;
  readonly #lock: ArchiveLock | undefined;

  private constructor(path: string, lock?: ArchiveLock) {
    this.path = path;
    this.#lock = lock;
  }

  /** @throws CommandError if the folder is not writable, or another run has locked it. */
  static open(path: string): ArchiveFolder {
    try {
      makeDirectory(path);
      const folder = realpathSync(path);
      makeWorkFolder(join(folder, workFolder));
      return new ArchiveFolder(folder, ArchiveLock.take(join(folder, workFolder, 'lock'), path));
    } catch (error) {
      throw explainFileError(path, error);
    }
  }

  /**
   * Opens a folder to read it, without a lock. A folder that does not exist is not created.
   *
   * @throws CommandError if the path is not a folder.
   */
  static view(path: string): ArchiveFolder {
    try {
      const status = statSync(path, { throwIfNoEntry: false });
      if (status === undefined) return new ArchiveFolder(path);
      if (!status.isDirectory()) throw fileError(path, 'it is not a folder. Choose a folder.');
      return new ArchiveFolder(realpathSync(path));
    } catch (error) {
      throw explainFileError(path, error);
    }
  }

  /** Returns the path of a file for users. */
  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Returns the path of an incomplete or internal file. */
  workPathOf(name: string): string {
    return join(this.path, workFolder, name);
  }

  /** Removes files that earlier runs left behind. Folders are not removed: users created them. */
  clear(isWanted: (name: string) => boolean = () => false): void {
    for (const entry of readdirSync(join(this.path, workFolder), { withFileTypes: true })) {
      const isOurs = entry.name !== 'lock' && !entry.isDirectory();
      if (isOurs && !isWanted(entry.name)) unlinkSync(this.workPathOf(entry.name));
    }
  }

  close(): void {
    this.#lock?.release();
  }
}

const workFolder = '.memory-read';

function makeWorkFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
  if (!lstatSync(path).isDirectory()) throw fileError(path, 'it is not a folder. Remove it.');
}
