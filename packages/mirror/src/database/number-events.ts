import type { DatabaseSync } from 'node:sqlite';
import { checksumOf } from './checksum.ts';

/**
 * Gives the events one order over all memories, in which no number is used twice. `ends_processing` marks the first
 * version of a memory that is processed.
 *
 * A damaged event stays damaged: it keeps its checksum. If it has the number of another event of its memory, it is left
 * out, and the history of its memory has a gap. A row of a table `STRICT` that was damaged can have values of another
 * type.
 */
export function numberEvents(database: DatabaseSync): void {
  database.function('checksum', { varargs: true, useBigIntArguments: true }, checksumOf);
  database.exec(`
    ALTER TABLE events RENAME TO unnumbered_events;
    CREATE TABLE events (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      memory_key INTEGER NOT NULL,
      version INTEGER NOT NULL,
      type TEXT NOT NULL,
      at INTEGER NOT NULL,
      fields TEXT NOT NULL,
      ends_processing INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      UNIQUE (memory_key, version)
    ) STRICT;
    INSERT OR IGNORE INTO events (memory_key, version, type, at, fields, ends_processing, checksum)
      SELECT CAST(memory_key AS INTEGER), CAST(version AS INTEGER), CAST(type AS TEXT), CAST(at AS INTEGER),
        CAST(fields AS TEXT), 0, coalesce(CAST(checksum AS INTEGER), -1)
      FROM unnumbered_events ORDER BY at, rowid;
    DROP TABLE unnumbered_events;
    UPDATE events SET ends_processing = 1, checksum =
      CASE checksum WHEN checksum(memory_key, version, type, at, fields)
        THEN checksum(memory_key, version, type, at, fields, 1) ELSE checksum END
      WHERE (memory_key, version) IN (
        SELECT memory_key, min(version) FROM versions
        WHERE CASE WHEN json_valid(content) THEN json_type(content, '$.is_processing') = 'false' END
        GROUP BY memory_key);
  `);
}
