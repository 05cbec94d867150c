import { DatabaseSync } from 'node:sqlite';
import { databasePath, mirrorFolder } from '../mirror/find-mirror.ts';
import type { CliProcess } from '../terminal/cli-process.ts';

const mostIds = 100;

/**
 * Prints ids of the mirror that begin with a text, a line each: memories that are on the server first, newest first.
 *
 * Prints nothing without a mirror, and no id that a shell would have to quote.
 */
export function printIds(process: CliProcess, prefix = ''): void {
  for (const id of findIds(process, prefix)) process.stdout.write(`${id}\n`);
}

/** The code of the mirror takes longer to load than this to run. */
function findIds(process: CliProcess, prefix: string): string[] {
  try {
    const database = new DatabaseSync(databasePath(mirrorFolder(process, undefined)), { readOnly: true });
    const rows = database
      .prepare(
        `SELECT memory_id AS id FROM memories
        WHERE substr(memory_id, 1, length(:prefix)) = :prefix
          AND memory_id NOT GLOB '*[^A-Za-z0-9_.-]*' AND memory_id NOT GLOB '-*'
        ORDER BY missing_since IS NOT NULL, started_at DESC LIMIT :mostIds`,
      )
      .all({ prefix, mostIds });
    database.close();
    return rows.map(({ id }) => String(id));
  } catch {
    // A message would disturb the line that the user types.
    return [];
  }
}
