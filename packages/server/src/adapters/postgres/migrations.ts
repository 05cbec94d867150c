/**
 * The newest schema, with which a new database begins.
 *
 * Ids and times are compared byte by byte, whatever the language of the database: times have one width, so their text
 * sorts as the instants do. `record_json` holds the fields that come from the record, so that a new one needs no column.
 *
 * `move_count` grows with every batch that gives an existing memory of the account another start: a list that is read
 * in pages tells by it whether it can still be whole. `previous_started_at` is the start that the last write found, by
 * which that write itself tells whether it moved the memory.
 */
export const tables: readonly string[] = [
  `CREATE TABLE accounts (
    user_id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT,
    move_count BIGINT NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE memories (
    id TEXT COLLATE "C" PRIMARY KEY,
    user_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (user_id),
    started_at TEXT COLLATE "C" NOT NULL,
    previous_started_at TEXT COLLATE "C" NOT NULL,
    is_processing BOOLEAN NOT NULL,
    record_json TEXT NOT NULL,
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
];

/**
 * What makes each version of the schema of the one before, from version 1 on. Only append.
 *
 * A statement with `$1` changes a portion of the rows and returns its last id. It is repeated with that id until there is
 * none, so that the pool's limit for one statement does not depend on the size of the database.
 */
export const upgrades: readonly (readonly string[])[] = [
  [
    'ALTER TABLE memories ADD COLUMN record_json TEXT',
    // In place, because a copy would write every transcript again.
    `WITH portion AS (SELECT id FROM memories WHERE id > $1 ORDER BY id LIMIT 1000), changed AS (
      UPDATE memories SET record_json = (SELECT CAST(row_to_json(record) AS TEXT) FROM (
        SELECT memories.id, name, started_at, ended_at, duration_seconds, CAST(media_json AS JSON) AS media) AS record)
      FROM portion WHERE memories.id = portion.id RETURNING memories.id)
    SELECT max(id) AS id FROM changed`,
    'ALTER TABLE memories ALTER COLUMN record_json SET NOT NULL',
    ...['name', 'ended_at', 'duration_seconds', 'media_json'].map(
      (column) => `ALTER TABLE memories DROP COLUMN ${column}`,
    ),
  ],
];

/** The newest version, the highest in `memory_read_versions`. */
export const schemaVersion = upgrades.length + 1;
