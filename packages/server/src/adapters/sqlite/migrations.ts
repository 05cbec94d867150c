/** `MRd1`: tells a database of this store from any other application's. */
export const APPLICATION_ID = 0x4d526431;

/**
 * The newest schema, with which a new database begins.
 *
 * `record_json` holds the fields that come from the record, so that a new one needs no column. `transcript_json` is the
 * last column of its table: SQLite reads a row from the front, so a list never touches the pages onto which a long
 * transcript flows over.
 *
 * `move_count` grows with every batch that gives an existing memory of the account another start: a list that is read
 * in pages tells by it whether it can still be whole.
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

  CREATE TABLE api_keys (
    key_id TEXT PRIMARY KEY,
    key_hash TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES accounts (user_id),
    active INTEGER NOT NULL,
    expires_at_ms INTEGER
  ) STRICT;
`;

/**
 * What makes each version of the schema of the one before, from version 1 on. Only append, and write
 * the tables out: an upgrade stays as it was written when `tables` changes.
 */
export const upgrades: readonly string[] = [
  // A copy, because a column that is added would lie behind the transcript.
  `
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
];

/** The newest version, as `PRAGMA user_version` tells it. */
export const schemaVersion = upgrades.length + 1;
