/**
 * The newest schema, which a new database gets.
 *
 * Ids and times are compared byte by byte, whatever the language of the database. All times have the same width, so
 * their text sorts like the times. `record_json` holds the fields of the record, so that a new field needs no column.
 *
 * `move_count` grows with every batch that changes the start of an existing memory. A paged list compares it to find
 * out whether it can be complete. `previous_started_at` is the start that the last write found, which shows that write
 * whether it moved the memory.
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
 * Steps from each version of the schema to the next, from version 1. Only append.
 *
 * A statement with `$1` changes a portion of the rows and returns its last id. It is repeated with that id until no row
 * is left. So the limit for one statement does not depend on the size of the database.
 */
export const upgrades: readonly (readonly string[])[] = [
  [
    'ALTER TABLE memories ADD COLUMN record_json TEXT',
    // The rows are updated in place, because a copy would write every transcript again.
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

/** The newest version, which is the highest in `memory_read_versions`. */
export const schemaVersion = upgrades.length + 1;
