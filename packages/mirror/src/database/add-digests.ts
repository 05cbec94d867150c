import type { DatabaseSync } from 'node:sqlite';
import { digestOfRow, ifWhole, readVersion } from '../history/stored-version.ts';
import { indexAllMemories } from '../search/index-memory.ts';
import { checksumOf } from './checksum.ts';

/**
 * Adds the digests by which damage is found, and fills them for what is there. A recording gets its digest when it is
 * read for the first time. A version that cannot be read gets none that fits, so that it stays damaged.
 */
export function addDigests(database: DatabaseSync): void {
  database.exec(`
    ALTER TABLE versions ADD COLUMN sha256 TEXT;
    ALTER TABLE media ADD COLUMN sha256 TEXT;
    ALTER TABLE events ADD COLUMN checksum INTEGER;
    ALTER TABLE units ADD COLUMN checksum INTEGER;
  `);
  const read = database.prepare(
    'SELECT memory_id, versions.* FROM versions JOIN memories USING (memory_key) WHERE version_key = ?',
  );
  const write = database.prepare('UPDATE versions SET sha256 = ? WHERE version_key = ?');
  for (const { version_key } of database.prepare('SELECT version_key FROM versions').all()) {
    const row = read.get(Number(version_key)) ?? {};
    const isWhole = ifWhole(() => readVersion(row)) !== undefined;
    write.run(isWhole ? digestOfRow(row) : '', Number(version_key));
  }
  database.function('checksum', { varargs: true }, checksumOf);
  database.exec(`
    UPDATE events SET checksum = checksum(memory_key, version, type, at, fields);
    UPDATE units SET checksum = checksum(kind, speaker, text, segments);
  `);
  // A mirror of version 1 has no index of memories, which needs the new column.
  if (database.prepare('SELECT 1 FROM memory_words_docsize').get() === undefined) indexAllMemories(database);
}
