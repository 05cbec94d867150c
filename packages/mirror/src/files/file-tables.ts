import type { MirrorDatabase } from '../database/mirror-database.ts';

/** `folder_key` of the files in the folder of the mirror itself. */
export const MIRROR_FOLDER = 0;

/** `memory_key` of files that no single memory has, such as `index.html`. */
export const NO_MEMORY = 0;

/** `written` of a file of an earlier version, which replaced such files without comparing them. */
export const ANY_BYTES = '*';

/**
 * Tables of the derived files.
 *
 * `files` has a row for each file that was written and not removed. `number` is 0, or that of an update beside a file
 * that its owner edited. `version` is that of the memory, and `depends` everything that the content depends on.
 * `written` is the SHA-256 of the bytes, null if the first write has not ended; `intended` and `intended_path` are those
 * of a write or a rename that has begun. `stamp` is the state of the file when its bytes were last compared, and
 * `is_edited` the result.
 *
 * `stems` holds the names of memories: `wanted` is what the template gave, `basis` is what that depended on.
 * `export_folders` has the mark of each folder of exports; `is_marked` is 0 until the folder has it.
 * `forgotten_files` holds hashes of purged files in folders that were away. The files that a purge leaves are in
 * `pending_purges` until it ends.
 */
const fileTables = `
CREATE TABLE files (
  file_key INTEGER PRIMARY KEY,
  folder_key INTEGER NOT NULL,
  memory_key INTEGER NOT NULL,
  part TEXT NOT NULL,
  number INTEGER NOT NULL,
  suffix TEXT NOT NULL,
  path TEXT NOT NULL,
  version TEXT NOT NULL,
  depends TEXT NOT NULL,
  written TEXT,
  intended TEXT,
  intended_path TEXT,
  stamp TEXT NOT NULL,
  is_edited INTEGER NOT NULL
) STRICT;
CREATE INDEX files_of_memory ON files (memory_key, folder_key);

CREATE TABLE stems (
  folder_key INTEGER NOT NULL,
  memory_key INTEGER NOT NULL,
  basis TEXT NOT NULL,
  wanted TEXT NOT NULL,
  stem TEXT NOT NULL,
  UNIQUE (folder_key, memory_key)
) STRICT;

CREATE TABLE export_folders (
  folder_key INTEGER PRIMARY KEY AUTOINCREMENT,
  mark TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  is_marked INTEGER NOT NULL
) STRICT;

CREATE TABLE forgotten_files (
  folder_key INTEGER NOT NULL,
  path_hash BLOB NOT NULL,
  content_hash BLOB NOT NULL
) STRICT;
`;

/** Tables of the pages until version 2, which `createFileTables` moves. */
export const pageTables = `
CREATE TABLE pages (
  memory_key INTEGER PRIMARY KEY,
  stem TEXT NOT NULL UNIQUE,
  update_number INTEGER NOT NULL,
  state TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  written_hash TEXT NOT NULL,
  pending_hash TEXT
) STRICT;

CREATE TABLE index_scripts (month TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT;
`;

/**
 * Creates the tables, and moves the pages of earlier versions into them.
 *
 * Their rows had one hash for a page and its updates, so each update gets it. Captions, scripts and `index.html` had
 * none: whatever is in their place is ours.
 */
export function createFileTables(database: MirrorDatabase): void {
  database.exec(`${fileTables}
    INSERT INTO stems SELECT ${MIRROR_FOLDER}, memory_key, '', '', 'pages/' || stem FROM pages;
    WITH RECURSIVE numbers (number) AS (
      SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < (SELECT max(update_number) FROM pages)
    )
    INSERT INTO files (folder_key, memory_key, part, number, suffix, path, version, depends, written, intended, stamp,
      is_edited)
    SELECT ${MIRROR_FOLDER}, memory_key, 'page', number, '.md',
      'pages/' || stem || iif(number = 0, '', ' (update ' || number || ')') || '.md', state, fingerprint,
      nullif(written_hash, ''), pending_hash, '', 0
    FROM pages JOIN numbers ON number <= update_number;
    INSERT INTO files (folder_key, memory_key, part, number, suffix, path, version, depends, written, stamp, is_edited)
    SELECT ${MIRROR_FOLDER}, ${NO_MEMORY}, 'script ' || month, 0, '.js', 'index/' || month || '.js', '', fingerprint,
      '${ANY_BYTES}', '', 0
    FROM index_scripts;
    INSERT INTO files (folder_key, memory_key, part, number, suffix, path, version, depends, written, stamp, is_edited)
    SELECT ${MIRROR_FOLDER}, ${NO_MEMORY}, 'index', 0, '.html', 'index.html', '', '', '${ANY_BYTES}', '', 0
    WHERE EXISTS (SELECT 1 FROM settings WHERE name = 'time_zone');
    INSERT INTO files (folder_key, memory_key, part, number, suffix, path, version, depends, written, stamp, is_edited)
    SELECT ${MIRROR_FOLDER}, memory_key, 'captions ' || stem, 0, '.vtt', stem || '.vtt', '', '', '${ANY_BYTES}', '', 0
    FROM (SELECT memory_key, rtrim(rtrim(path, replace(path, '.', '')), '.') AS stem FROM media WHERE kind <> 'preview_image');
    DROP TABLE pages;
    DROP TABLE index_scripts;
    ALTER TABLE pending_purges ADD COLUMN left_files TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE pending_purges ADD COLUMN pending_folders TEXT NOT NULL DEFAULT '[]';
  `);
}
