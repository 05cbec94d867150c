/** `MRd1`: distinguishes a database of this store from those of other applications. */
export const APPLICATION_ID = 0x4d526431;

/**
 * The newest schema, which a new database gets.
 *
 * `record_json` holds the fields of the record, so that a new field needs no column. `transcript_json` is the last
 * column of its table. SQLite reads a row from the front, so a list never reads the overflow pages of a long
 * transcript.
 *
 * A memory is read through `memories_by_owner`. The id of another account ends in the same seek of that index as an
 * unknown id, so no row is read to find its owner.
 *
 * `move_count` grows with every batch that changes the start of an existing memory. A paged list compares it to find
 * out whether it can be complete.
 */
export const tables = `
  CREATE TABLE accounts (
    user_id TEXT PRIMARY KEY,
    name TEXT,
    move_count INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (user_id),
    started_at TEXT NOT NULL,
    is_processing INTEGER NOT NULL,
    record_json TEXT NOT NULL,
    summary_json TEXT,
    transcript_json TEXT
  ) STRICT;

  CREATE INDEX memories_newest_first ON memories (user_id, started_at DESC, id DESC);
  CREATE UNIQUE INDEX memories_by_owner ON memories (id, user_id);

  CREATE TABLE api_keys (
    key_id TEXT PRIMARY KEY,
    key_hash TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES accounts (user_id),
    active INTEGER NOT NULL,
    expires_at_ms INTEGER,
    label TEXT,
    created_at_ms INTEGER
  ) STRICT;

  CREATE TABLE memory_read_versions (
    version INTEGER PRIMARY KEY,
    compatible_since INTEGER NOT NULL
  ) STRICT;
`;

/** A step from one version of the schema to the next. */
export interface Upgrade {
  /** The oldest version whose software can read and write the new schema. */
  compatibleSince: number;
  sql: string;
}

/**
 * Steps from each version of the schema to the next, from version 1. Only append, by the policy in
 * `docs/decisions/schema-versions.md`.
 *
 * Write the tables out: an upgrade must not change when `tables` changes.
 */
export const upgrades: readonly Upgrade[] = [
  {
    compatibleSince: 2,
    // The table is copied, because an added column would come after the transcript.
    sql: `
  CREATE TABLE memories_of_version_2 (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (user_id),
    started_at TEXT NOT NULL,
    is_processing INTEGER NOT NULL,
    record_json TEXT NOT NULL,
    summary_json TEXT,
    transcript_json TEXT
  ) STRICT;

  INSERT INTO memories_of_version_2
  SELECT id, user_id, started_at, is_processing,
    json_object('id', id, 'name', name, 'started_at', started_at, 'ended_at', ended_at,
      'duration_seconds', duration_seconds,
      -- A damaged text stays as it is: reading that memory fails, as it did before, and the others can be read.
      'media', CASE WHEN json_valid(media_json) THEN json(media_json) ELSE media_json END),
    summary_json, transcript_json
  FROM memories;

  DROP TABLE memories;
  ALTER TABLE memories_of_version_2 RENAME TO memories;
  CREATE INDEX memories_newest_first ON memories (user_id, started_at DESC, id DESC);
  `,
  },
  { compatibleSince: 2, sql: 'CREATE UNIQUE INDEX memories_by_owner ON memories (id, user_id);' },
  {
    compatibleSince: 2,
    sql: `
  CREATE TABLE memory_read_versions (
    version INTEGER PRIMARY KEY,
    compatible_since INTEGER NOT NULL
  ) STRICT;
  `,
  },
  {
    compatibleSince: 2,
    sql: 'ALTER TABLE api_keys ADD COLUMN label TEXT; ALTER TABLE api_keys ADD COLUMN created_at_ms INTEGER;',
  },
];

/** The newest version, as stored in `PRAGMA user_version`. */
export const schemaVersion = upgrades.length + 1;

/** The oldest version whose software can read and write the newest schema. */
export const compatibleSince = upgrades.at(-1)?.compatibleSince ?? schemaVersion;
