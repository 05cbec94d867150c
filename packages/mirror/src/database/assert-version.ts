import { MirrorError } from '../errors/mirror-error.ts';
import type { MirrorDatabase } from './mirror-database.ts';

/**
 * Only a mirror that is open for reading only can still have the tables of an earlier version.
 *
 * @throws {@link MirrorError} with the code `older_version`.
 */
export function assertVersion(database: MirrorDatabase, action: string, needed: number): void {
  if (Number(database.prepare('PRAGMA user_version').get()?.user_version) >= needed) return;
  const reason = 'an earlier version wrote its tables';
  throw new MirrorError('older_version', `Failed to ${action}: ${reason}. Sync it, or open it once without readOnly.`);
}
