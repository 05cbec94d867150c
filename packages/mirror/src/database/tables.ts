import type { DatabaseSync } from 'node:sqlite';
import { sinkTables } from '../events/sink-tables.ts';
import { createFileTables, pageTables } from '../files/file-tables.ts';
import { peopleTables } from '../people/people-tables.ts';
import { memoryTables, searchTables } from '../search/search-tables.ts';
import { addDigests } from './add-digests.ts';
import { numberEvents } from './number-events.ts';

/**
 * Tables of a mirror. Large rows are in ordinary tables, because tables `WITHOUT ROWID` need a fifth more space for
 * them.
 *
 * `list_state` is the state of the list when the details were read. A later list is compared with it. `indexed_version`
 * is the last version with words, which search and pages use. `start_slot` and `disambiguator` are the position of this
 * version in the index. `started_at` is the exact start of the current version in milliseconds. `versions.media` holds
 * the kinds of media that had a URL, separated by spaces. `pending_purges` holds deleted memories whose files and freed
 * pages of the database still exist. A key is never used again, because it could be in `pending_purges`.
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
export const migrations: readonly ((database: DatabaseSync) => void)[] = [
  (database) => database.exec(`${tables}${pageTables}${searchTables}`),
  (database) => database.exec(memoryTables),
  (database) => {
    createFileTables(database);
    addDigests(database);
  },
  (database) => database.exec(peopleTables),
  (database) => {
    numberEvents(database);
    database.exec(sinkTables);
  },
];
