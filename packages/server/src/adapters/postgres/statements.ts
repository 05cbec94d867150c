import { pageSize } from '../sql/list-in-pages.ts';

/**
 * A pool can have its own parsers for the types of PostgreSQL, with results of any kind. So every value that is read has
 * the type `text`.
 */
const asText = (expression: string, name = expression) => `CAST(${expression} AS TEXT) AS ${name}`;

const listColumns = `user_id, ${asText('is_processing')}, record_json, summary_json`;
const keyColumns = [
  'key_id, user_id',
  asText('active'),
  asText('expires_at_ms'),
  'label',
  asText('created_at_ms'),
].join(', ');
const memoryColumns = [
  ...['id', 'user_id', 'started_at', 'previous_started_at', 'is_processing'],
  ...['record_json', 'summary_json', 'transcript_json'],
];
const replacedColumns = memoryColumns.filter((column) => !['id', 'user_id', 'previous_started_at'].includes(column));

/**
 * All statements except those of migrations and of the two functions below. The guide to distributed databases has a row
 * for each.
 */
export const statements = {
  begin: 'BEGIN',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',

  compareText: `SELECT ${asText('CAST($1 AS TEXT) < CAST($2 AS TEXT)', 'is_before')}`,
  /** Compares two texts by the collation of the column. */
  compareIds: `SELECT ${asText('coalesce((SELECT id FROM memories LIMIT 0), $1) < $2', 'is_before')}`,

  createVersions: `
    CREATE TABLE IF NOT EXISTS memory_read_versions (version INTEGER PRIMARY KEY, compatible_since INTEGER)`,
  /** Also counts the characters of a text. */
  readVersion: `
    SELECT ${asText('coalesce(max(version), 0)', 'version')}, ${asText('char_length(CAST($1 AS TEXT))', 'characters')}
    FROM memory_read_versions`,
  readCompatibility: `SELECT ${asText('compatible_since')} FROM memory_read_versions WHERE version = $1`,
  insertVersion: 'INSERT INTO memory_read_versions (version) VALUES ($1)',
  putCompatibility: 'UPDATE memory_read_versions SET compatible_since = $2 WHERE version = $1',

  findAccount: 'SELECT user_id, name FROM accounts WHERE user_id = $1',
  putAccount: `
    INSERT INTO accounts (user_id, name) VALUES ($1, $2)
    ON CONFLICT (user_id) DO UPDATE SET name = coalesce(excluded.name, accounts.name)`,
  countMove: 'UPDATE accounts SET move_count = move_count + 1 WHERE user_id = $1',

  /**
   * Parameters: the user id, then start and id of the last memory already read.
   *
   * The count of moves belongs to the same snapshot as the page. An empty page has it too.
   *
   * If the planner knew the limit and expected fewer memories, as after an import, it would sort all remaining memories
   * for every page. It expects a tenth for a limit that it cannot know, and reads the index in order.
   */
  readPage: `
    SELECT ${asText('accounts.move_count', 'move_count')}, page.user_id, page.is_processing, page.record_json, page.summary_json
    FROM accounts LEFT JOIN (
      SELECT id, started_at, ${listColumns} FROM memories WHERE user_id = $1 AND (started_at, id) < ($2, $3)
      ORDER BY started_at DESC, id DESC LIMIT (SELECT ${pageSize})
    ) AS page ON true
    WHERE accounts.user_id = $1 ORDER BY page.started_at DESC, page.id DESC`,
  getMemory: `SELECT ${listColumns}, transcript_json FROM memories WHERE id = $1 AND user_id = $2`,
  finishProcessing: `
    UPDATE memories SET is_processing = false, summary_json = $1, transcript_json = $2
    WHERE id = $3 AND user_id = $4 RETURNING id`,
  deleteMemory: 'DELETE FROM memories WHERE id = $1 AND user_id = $2 RETURNING id',

  findApiKey: `SELECT ${keyColumns} FROM api_keys WHERE key_hash = $1`,
  putApiKey: `
    INSERT INTO api_keys (key_id, key_hash, user_id, active, expires_at_ms, label, created_at_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (key_id) DO UPDATE SET key_hash = excluded.key_hash, user_id = excluded.user_id,
      active = excluded.active, expires_at_ms = excluded.expires_at_ms, label = excluded.label,
      created_at_ms = excluded.created_at_ms`,
  revokeApiKey: 'UPDATE api_keys SET active = false WHERE key_id = $1 RETURNING key_id',
  listApiKeys: `SELECT ${keyColumns} FROM api_keys ORDER BY key_id`,
  listApiKeysOfAccount: `SELECT ${keyColumns} FROM api_keys WHERE user_id = $1 ORDER BY key_id`,
} as const;

const clusterOfDatabase = `
  (SELECT concat(system_identifier, '/', oid) FROM pg_control_system(), pg_database WHERE datname = current_database())`;

/**
 * The checks of `watchPostgresReplicas`. They need PostgreSQL itself: a compatible database has other means of
 * replication.
 */
export const replicationStatements = {
  /**
   * The parameter is the role whose members may read the state of replication. All servers of a cluster share the system
   * identifier and the object identifiers, such as that of the database.
   */
  identifyServer: `
    SELECT ${asText(clusterOfDatabase, 'cluster')},
      ${asText('pg_has_role(current_user, CAST($1 AS NAME), CAST($2 AS TEXT))', 'is_permitted')}`,
  /**
   * No rows in recovery, where both functions would fail. After a promotion, the name of the WAL file has the new
   * timeline at once. The control file has it only after the next checkpoint.
   */
  readPrimaryPosition: `
    SELECT ${asText('lsn')}, ${asText('pg_walfile_name(lsn)', 'file')}
    FROM (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn() END AS lsn) AS flushed
    WHERE lsn IS NOT NULL`,
  /**
   * The timeline is null without a stream, and 0 if the user may not read it. It is read after the position, so that a
   * position is never taken for one of a later timeline.
   */
  readReplicaPosition: `
    SELECT ${asText('pg_is_in_recovery()', 'is_in_recovery')}, ${asText('pg_last_wal_replay_lsn()', 'lsn')},
      ${asText('(SELECT coalesce(received_tli, 0) FROM pg_stat_wal_receiver)', 'timeline')}`,
} as const;

/** Cancels each later statement of the transaction that takes longer, including its wait for another writer. */
export function limitStatements(timeoutMs: number): string {
  return `SET LOCAL statement_timeout = ${timeoutMs}`;
}

/**
 * Stores memories with different ids.
 *
 * A memory that another account owns is not changed, and no row is returned for it. For each other memory the row holds
 * its id and whether its start has changed.
 */
export function putMemories(rowCount: number): string {
  const width = memoryColumns.length;
  const rows = Array.from({ length: rowCount }, (_row, row) => {
    const values = memoryColumns.map((_column, column) => `$${row * width + column + 1}`);
    return `(${values.join(', ')})`;
  });
  const updates = replacedColumns.map((column) => `${column} = excluded.${column}`);
  return `
    INSERT INTO memories (${memoryColumns.join(', ')}) VALUES ${rows.join(', ')}
    ON CONFLICT (id) DO UPDATE SET previous_started_at = memories.started_at, ${updates.join(', ')}
    WHERE memories.user_id = excluded.user_id
    RETURNING id, ${asText('previous_started_at <> started_at', 'has_moved')}`;
}
