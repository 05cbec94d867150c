import { pageTables } from '../pages/page-tables.ts';
import { searchTables } from '../search/search-tables.ts';

/** `MRm1`: distinguishes the database of a mirror from those of other applications. */
export const APPLICATION_ID = 0x4d526d31;

/**
 * Tables of a mirror. Large rows lie in ordinary tables: in tables `WITHOUT ROWID` they cost a fifth more space.
 *
 * `list_state` is what the list said when the details were read, so that a later list shows whether they changed.
 * `indexed_version` is the last version that had words: search and pages stay with it. `start_slot` and
 * `disambiguator` are its place in the index, `started_at` is the exact start of the current version in milliseconds.
 * `versions.media` holds the kinds of media whose URL was there, with spaces between them. `pending_purges` holds the
 * memories that are deleted, but whose files and freed pages of the database are not. So keys are never used again.
 */
const tables = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE memories (
  memory_key INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id TEXT NOT NULL UNIQUE,
  started_at INTEGER NOT NULL,
  start_slot INTEGER NOT NULL,
  disambiguator INTEGER NOT NULL,
  current_version INTEGER NOT NULL,
  indexed_version INTEGER NOT NULL,
  last_event INTEGER NOT NULL,
  last_event_at INTEGER NOT NULL,
  missing_since INTEGER,
  read_at INTEGER NOT NULL,
  list_state TEXT NOT NULL,
  UNIQUE (start_slot, disambiguator)
) STRICT;
CREATE INDEX memories_by_start ON memories (started_at, memory_key);

CREATE TABLE versions (
  version_key INTEGER PRIMARY KEY,
  memory_key INTEGER NOT NULL,
  version INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  media TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (memory_key, version)
) STRICT;

CREATE TABLE events (
  memory_key INTEGER NOT NULL,
  version INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  fields TEXT NOT NULL,
  UNIQUE (memory_key, version)
) STRICT;

CREATE TABLE media (
  memory_key INTEGER NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  content_type TEXT,
  is_current INTEGER NOT NULL
) STRICT;
CREATE INDEX media_of_memory ON media (memory_key);

CREATE TABLE purged (memory_hash BLOB PRIMARY KEY) STRICT;

CREATE TABLE pending_purges (memory_key INTEGER PRIMARY KEY, media_folder TEXT NOT NULL) STRICT;
`;

/** Steps from each version of the tables to the next, from an empty database. Only append. */
export const migrations: readonly string[] = [`${tables}${pageTables}${searchTables}`];
