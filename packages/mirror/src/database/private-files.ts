import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder and its missing parents, for their owner only. Folders that exist keep their rights. */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) return;
  makePrivateFolder(dirname(path));
  mkdirSync(path, { recursive: true });
  // A umask removes rights from the mode of mkdir.
  chmodSync(path, 0o700);
}

/** Creates an empty file for its owner only. A file that exists stays as it is. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return;
  const descriptor = openSync(path, 'a', 0o600);
  try {
    fchmodSync(descriptor, 0o600);
  } finally {
    closeSync(descriptor);
  }
}
