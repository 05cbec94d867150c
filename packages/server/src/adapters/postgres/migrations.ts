/**
 * What makes each version of the schema of the one before; `memory_read_versions` holds their numbers. Only ever append.
 *
 * Ids and times are compared byte by byte, whatever the language of the database: times have one width, so their text
 * sorts as the instants do.
 *
 * `move_count` grows with every batch that gives an existing memory of the account another start: a list that is read
 * in pages tells by it whether it can still be whole. `previous_started_at` is the start that the last write found, by
 * which that write itself tells whether it moved the memory.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE accounts (
      user_id TEXT COLLATE "C" PRIMARY KEY,
      name TEXT,
      move_count BIGINT NOT NULL DEFAULT 0
    )`,
    `CREATE TABLE memories (
      id TEXT COLLATE "C" PRIMARY KEY,
      user_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (user_id),
      name TEXT NOT NULL,
      started_at TEXT COLLATE "C" NOT NULL,
      previous_started_at TEXT COLLATE "C" NOT NULL,
      ended_at TEXT NOT NULL,
      is_processing BOOLEAN NOT NULL,
      duration_seconds BIGINT NOT NULL,
      media_json TEXT NOT NULL,
      summary_json TEXT,
      transcript_json TEXT
    )`,
    'CREATE INDEX memories_newest_first ON memories (user_id, started_at DESC, id DESC)',
    `CREATE TABLE api_keys (
      key_id TEXT COLLATE "C" PRIMARY KEY,
      key_hash TEXT COLLATE "C" NOT NULL UNIQUE,
      user_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (user_id),
      active BOOLEAN NOT NULL,
      expires_at_ms BIGINT
    )`,
  ],
];
