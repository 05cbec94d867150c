/** `MRd1`: tells a database of this store from any other application's. */
export const APPLICATION_ID = 0x4d526431;

/**
 * What makes each version of the schema of the one before; `PRAGMA user_version` counts them. Only ever append.
 *
 * `transcript_json` is the last column of its table: SQLite reads a row from the front, so a list never touches the
 * pages onto which a long transcript flows over.
 *
 * `move_count` grows with every batch that gives an existing memory of the account another start: a list that is read
 * in pages tells by it whether it can still be whole.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE accounts (
    user_id TEXT PRIMARY KEY,
    name TEXT,
    move_count INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (user_id),
    name TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT NOT NULL,
    is_processing INTEGER NOT NULL,
    duration_seconds INTEGER NOT NULL,
    media_json TEXT NOT NULL,
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
  `,
];
