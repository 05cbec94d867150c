import type { MirrorDatabase } from '../database/mirror-database.ts';
import { NO_MEMORY } from '../files/file-tables.ts';
import type { StoredContent } from './stored-content.ts';
import { digestOfRow, ifWhole, readVersion } from './stored-version.ts';

/**
 * Puts the content of a damaged version back, if its digest says that it is the same. Returns whether it did.
 *
 * The row is one of `versions` with its `memory_id`. The event of the version has its time too.
 */
export function restoreVersion(
  database: MirrorDatabase,
  row: Readonly<Record<string, unknown>>,
  { memory, media }: StoredContent,
): boolean {
  if (ifWhole(() => readVersion(row)) !== undefined) return false;
  const content = JSON.stringify(memory);
  const event = database
    .prepare('SELECT at FROM events WHERE memory_key = ? AND version = ?')
    .get(Number(row.memory_key), Number(row.version));
  for (const seenAt of [row.seen_at, event?.at]) {
    const restored = { ...row, seen_at: seenAt, media: media.join(' '), content };
    if (digestOfRow(restored) !== row.sha256) continue;
    database
      .prepare('UPDATE versions SET seen_at = ?, media = ?, content = ? WHERE version_key = ?')
      .run(Number(seenAt), restored.media, content, Number(row.version_key));
    // The list of the pages left out the memory.
    database.prepare("UPDATE files SET depends = '' WHERE memory_key = ?").run(NO_MEMORY);
    return true;
  }
  return false;
}
