import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A store file in a directory of its own. */
export interface TemporaryStoreFile {
  directory: string;
  path: string;
  /** Removes the directory and its content. */
  remove(): void;
}

export function createTemporaryStoreFile(): TemporaryStoreFile {
  const directory = mkdtempSync(join(tmpdir(), 'memory-read-sqlite-'));
  return {
    directory,
    path: join(directory, 'store.sqlite'),
    remove: () => rmSync(directory, { recursive: true }),
  };
}
