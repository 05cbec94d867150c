import type { MemoryStore } from '../../ports/memory-store.ts';
import { listInPages, type MemoryPage, type PageStart } from '../sql/list-in-pages.ts';
import { toListedMemory } from '../sql/record-json.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { toSqlText } from './sqlite-text.ts';
import { createTranscriptCache } from './transcript-cache.ts';

const listColumns = 'memories.user_id, is_processing, record_json, summary_json';

/** The first page is short, so that the first byte of a response does not wait for a full page. */
const firstPageSize = 20;

/**
 * Parameters: start and id of the last memory already read, the user id, and the number of memories.
 *
 * One statement reads both, so that the count of moves belongs to the snapshot of the page, even if the page is empty.
 */
export const pageSql = `
  SELECT move_count, ${listColumns}
  FROM accounts LEFT JOIN memories ON memories.user_id = accounts.user_id AND (started_at, id) < (?, ?)
  WHERE accounts.user_id = ? ORDER BY started_at DESC, id DESC LIMIT ?`;

/** Minimum length of a transcript that is read and sent as bytes. For a shorter one, a string is as fast. */
const longTranscript = 65_536;

/**
 * The index is named, because it also answers whose memory it is. Through the index of the primary key, SQLite would read
 * the row of another account, which takes measurably longer than finding no row.
 */
const byOwner = 'INDEXED BY memories_by_owner';

export const memorySql = `
  SELECT ${listColumns}, octet_length(transcript_json) >= ${longTranscript} AS is_long,
    CASE WHEN octet_length(transcript_json) < ${longTranscript} THEN transcript_json END AS transcript_json
  FROM memories ${byOwner} WHERE id = ? AND user_id = ?`;

/**
 * The first parameter is the database state of the cached transcript. If the state has changed, the transcript is read
 * again. One statement reads both from one snapshot.
 *
 * The data version changes with commits of other connections, and the change count with those of this one.
 */
const longMemorySql = `
  WITH now AS (SELECT data_version || '.' || total_changes() AS state FROM pragma_data_version)
  SELECT ${listColumns}, state, CASE WHEN state IS NOT ? THEN CAST(transcript_json AS BLOB) END AS utf8
  FROM memories ${byOwner}, now WHERE id = ? AND user_id = ?`;

const cachedBytes = 16 * 1_048_576;

export function createSqliteMemoryReader(database: Pick<SqliteDatabase, 'get' | 'all'>): MemoryStore {
  const transcripts = createTranscriptCache(cachedBytes);

  function readLongMemory(memoryId: string, userId: string): Row | undefined {
    const cached = transcripts.get(memoryId);
    const row = database.get(longMemorySql, cached?.state ?? null, memoryId, userId);
    if (row === undefined) return undefined;
    const state = row.state as string;
    const utf8 = state === cached?.state ? cached.utf8 : toBuffer(row.utf8 as Uint8Array<ArrayBuffer> | null);
    if (utf8 !== null) transcripts.put(memoryId, { state, utf8 });
    return { ...row, transcript_json: utf8 };
  }

  return {
    listMemories: (query) =>
      listInPages(query, (start, size) => readPage(database, query.userId, start, size), firstPageSize),
    async getMemory({ userId, memoryId, signal }) {
      signal?.throwIfAborted();
      let row = database.get(memorySql, memoryId, userId);
      if (row?.is_long) row = readLongMemory(memoryId, userId);
      if (row === undefined) return undefined;
      const memory = toListedMemory(row);
      // SQLite reads a lone surrogate as U+FFFD, which another id or account can contain.
      if (memory.id !== memoryId || memory.user_id !== userId) return undefined;
      memory.transcriptJson = row.transcript_json as string | Buffer<ArrayBuffer> | null;
      return memory;
    },
  };
}

/** The text of a Buffer is that of its bytes, so `JSON.parse` accepts it. */
function toBuffer(bytes: Uint8Array<ArrayBuffer> | null): Buffer<ArrayBuffer> | null {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readPage(database: Pick<SqliteDatabase, 'all'>, userId: string, start: PageStart, size: number): MemoryPage {
  const rows = database.all(pageSql, start.started_at, start.id, toSqlText(userId), size);
  const memories = rows.filter(({ record_json }) => record_json !== null).map(toListedMemory);
  return { memories, moveCount: rows[0]?.move_count };
}
