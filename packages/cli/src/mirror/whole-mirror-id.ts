import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Mirror } from '@memory-read/mirror';
import { completeId, idsOfMirror, type PrefixOptions } from '../ids/complete-id.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { databasePath } from './find-mirror.ts';

/**
 * Returns the only id of a mirror that begins with the id of no memory.
 *
 * An id that was purged completes to no other: the same `purge` again would remove a second memory.
 *
 * @throws CommandError of `completeId`, or if no id begins with it.
 */
export async function wholeMirrorId(
  mirror: Mirror,
  id: string,
  action: string,
  options: PrefixOptions,
): Promise<string> {
  const whole = wasPurged(mirror, id) ? undefined : await completeId(idsOfMirror(mirror, action), id, options);
  if (whole !== undefined) return whole;
  const problem = 'the mirror has no memory with this id, or it was purged. Check the id.';
  throw new CommandError(exitCodes.notFound, `Failed to ${action} ${JSON.stringify(id)}: ${problem}`);
}

/** The mirror was opened before, so its tables are known to be there. */
function wasPurged({ folder }: Mirror, id: string): boolean {
  const database = new DatabaseSync(databasePath(folder), { readOnly: true });
  try {
    const hash = createHash('sha256').update(id).digest();
    return database.prepare('SELECT 1 FROM purged WHERE memory_hash = ?').get(hash) !== undefined;
  } finally {
    database.close();
  }
}
