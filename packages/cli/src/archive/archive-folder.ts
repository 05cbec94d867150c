import { lstatSync, mkdirSync, readdirSync, realpathSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../storage/make-directory.ts';
import { archiveError, explainArchiveError, systemCodeOf } from './archive-error.ts';
import { ArchiveLock } from './archive-lock.ts';

/** A folder of memories while one run has it to itself. */
export class ArchiveFolder {
  /** Absolute. The folder itself may be a link; what lies in it is not followed. */
  readonly path: string;
  readonly #lock: ArchiveLock;

  private constructor(path: string, lock: ArchiveLock) {
    this.path = path;
    this.#lock = lock;
  }

  /** @throws CommandError when it cannot be written to, or another run has it. */
  static open(path: string): ArchiveFolder {
    try {
      makeDirectory(path);
      const folder = realpathSync(path);
      makeWorkFolder(join(folder, workFolder));
      return new ArchiveFolder(folder, ArchiveLock.take(join(folder, workFolder, 'lock'), path));
    } catch (error) {
      throw explainArchiveError(path, error);
    }
  }

  /** Where a file lies that people are to see. */
  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Where a file lies that is not whole yet, or that only this command reads. */
  workPathOf(name: string): string {
    return join(this.path, workFolder, name);
  }

  /** Removes what earlier runs left behind. Folders are nobody's but people's. */
  clear(isWanted: (name: string) => boolean = () => false): void {
    for (const entry of readdirSync(join(this.path, workFolder), { withFileTypes: true })) {
      const isOurs = entry.name !== 'lock' && !entry.isDirectory();
      if (isOurs && !isWanted(entry.name)) unlinkSync(this.workPathOf(entry.name));
    }
  }

  close(): void {
    this.#lock.release();
  }
}

const workFolder = '.memory-read';

function makeWorkFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
  if (!lstatSync(path).isDirectory()) throw archiveError(path, 'it is no folder. Remove it.');
}
