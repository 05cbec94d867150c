/** The type of a text that is compared, and of its column. */
export type ComparedText = 'TEXT' | 'TEXT COLLATE "C"';

/**
 * Returns the newest schema, which a new database gets.
 *
 * Ids and times are compared byte by byte. A database that orders text in another way needs the collation "C" for that.
 * All other databases get no collation, because CockroachDB cannot create a column with this one. All times have the
 * same width, so their text sorts like the times. `record_json` holds the fields of the record, so that a new field needs no column.
 *
 * `move_count` grows with every batch that changes the start of an existing memory. A paged list compares it to find
 * out whether it can be complete. `previous_started_at` is the start that the last write found, which shows that write
 * whether it moved the memory.
 */
export const tables = (text: ComparedText): readonly string[] => [
  `CREATE TABLE accounts (
    user_id ${text} PRIMARY KEY,
    name TEXT,
    move_count BIGINT NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE memories (
    id ${text} PRIMARY KEY,
    user_id ${text} NOT NULL REFERENCES accounts (user_id),
    started_at ${text} NOT NULL,
    previous_started_at ${text} NOT NULL,
    is_processing BOOLEAN NOT NULL,
    record_json TEXT NOT NULL,
    summary_json TEXT,
    transcript_json TEXT
  )`,
  'CREATE INDEX memories_newest_first ON memories (user_id, started_at DESC, id DESC)',
  `CREATE TABLE api_keys (
    key_id ${text} PRIMARY KEY,
    key_hash ${text} NOT NULL UNIQUE,
    user_id ${text} NOT NULL REFERENCES accounts (user_id),
    active BOOLEAN NOT NULL,
    expires_at_ms BIGINT,
    label TEXT,
    created_at_ms BIGINT
  )`,
];

/** A step from one version of the schema to the next. */
export interface Upgrade {
  /** The oldest version whose software can read and write the new schema. */
  compatibleSince: number;
  steps: readonly string[];
}

/**
 * Steps from each version of the schema to the next, from version 1. Only append, by the policy in
 * `docs/decisions/schema-versions.md`.
 *
 * A statement with `$1` changes a portion of the rows and returns its last id. It is repeated with that id until no row
 * is left. So the limit for one statement does not depend on the size of the database.
 */
export const upgrades: readonly Upgrade[] = [
  {
    compatibleSince: 2,
    steps: [
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
  },
  {
    compatibleSince: 2,
    steps: ['ALTER TABLE memory_read_versions ADD COLUMN compatible_since INTEGER'],
  },
  {
    compatibleSince: 2,
    steps: ['ALTER TABLE api_keys ADD COLUMN label TEXT', 'ALTER TABLE api_keys ADD COLUMN created_at_ms BIGINT'],
  },
];

/** The newest version, which is the highest in `memory_read_versions`. */
export const schemaVersion = upgrades.length + 1;

/** The oldest version whose software can read and write the newest schema. */
export const compatibleSince = upgrades.at(-1)?.compatibleSince ?? schemaVersion;
