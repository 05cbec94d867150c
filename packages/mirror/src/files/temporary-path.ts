import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** Returns an unused path for a temporary file in a folder. */
export function temporaryPath(folder: string): string {
  return join(folder, `.memory-read-${randomBytes(8).toString('hex')}.tmp`);
}

export function isTemporary(name: string): boolean {
  return /^\.memory-read-[0-9a-f]+\.tmp$/.test(name);
}
