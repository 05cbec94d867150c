/**
 * The ids of a mirror, for tab completion. It loads less code than the mirror.
 *
 * @packageDocumentation
 */

import { resolve } from 'node:path';
import { isMirror, openExisting } from './database/open-existing.ts';

/**
 * Returns ids of a mirror that begin with a text: memories that are on the server first, newest first. It omits ids that
 * a shell would have to quote. It throws if the folder cannot be read, or if another program made the database.
 */
export function listIds(folder: string, { prefix, limit }: { prefix: string; limit: number }): string[] {
  const path = resolve(folder);
  if (!isMirror(path)) return [];
  const database = openExisting(path, { readOnly: true });
  try {
    const rows = database
      .prepare(
        `SELECT memory_id AS id FROM memories
        WHERE substr(memory_id, 1, length(:prefix)) = :prefix
          AND memory_id NOT GLOB '*[^A-Za-z0-9_.-]*' AND memory_id NOT GLOB '-*'
        ORDER BY missing_since IS NOT NULL, started_at DESC LIMIT :limit`,
      )
      .all({ prefix, limit });
    return rows.map(({ id }) => String(id));
  } finally {
    database.close();
  }
}
