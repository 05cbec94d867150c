import type { TimeRange } from '@memory-read/client/search';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { invalidOption, type RangeOptions } from '../options/check-options.ts';
import { namesReader } from '../people/stored-names.ts';
import { type MirroredMemory, toMirroredMemory } from './mirrored-memory.ts';
import { ifWhole } from './stored-version.ts';

/** Options of `listMemories`. */
export interface ListOptions extends RangeOptions {
  /** Maximum number of memories, 1 to 1,000. Default: 100. */
  limit?: number | undefined;
  /** The `cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined;
}

/** A page of memories. */
export interface MirroredPage {
  /** Newest first, without transcripts. */
  memories: MirroredMemory[];
  /** Cursor of the next page; null on the last page. */
  cursor: string | null;
}

/** Position after a memory in the list, and the range of the list. */
type Cursor = [format: 'list', since: number | null, until: number | null, startedAt: number, memoryKey: number];

/** Returns the memories of the range, newest first, without those that are damaged. A cursor stays valid while memories are added. */
export function listMemories(
  database: MirrorDatabase,
  { range, limit, cursor }: { range: TimeRange; limit: number; cursor: string | undefined },
): MirroredPage {
  const [startedAt, memoryKey] = readCursor(cursor, range);
  const rows = database
    .prepare(
      `SELECT memory_id, started_at, missing_since, events.type, events.at, versions.*,
        EXISTS (SELECT 1 FROM versions AS newer
          WHERE newer.memory_key = memories.memory_key AND newer.version > current_version) AS has_newer
      FROM memories JOIN versions USING (memory_key)
      LEFT JOIN events ON events.memory_key = memories.memory_key AND events.version = last_event
      WHERE versions.version = current_version AND started_at >= ? AND started_at < ? AND (started_at, memories.memory_key) < (?, ?)
      ORDER BY started_at DESC, memories.memory_key DESC LIMIT ?`,
    )
    .all(range.since, range.until, startedAt, memoryKey, limit + 1);
  const readNames = namesReader(database);
  const shown = rows.slice(0, limit);
  const memories = shown.flatMap((row) => {
    const mirrored = isConsistent(row)
      ? ifWhole(() => toMirroredMemory(row, row.missing_since, ({ id }) => readNames(id)))
      : undefined;
    return mirrored === undefined ? [] : [{ ...mirrored, memory: { ...mirrored.memory, transcript: null } }];
  });
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { memories, cursor: last === undefined ? null : writeCursor(range, last) };
}

/** Damage can hide the newest version, or mark a memory as missing. */
function isConsistent({ has_newer, type, at, missing_since }: Record<string, unknown>): boolean {
  return has_newer === 0 && (type == null || missing_since === (type === 'missing' ? at : null));
}

function writeCursor({ since, until }: TimeRange, row: Record<string, unknown>): string {
  const place: Cursor = ['list', finite(since), finite(until), Number(row.started_at), Number(row.memory_key)];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function readCursor(cursor: string | undefined, { since, until }: TimeRange): [startedAt: number, memoryKey: number] {
  if (cursor === undefined) return [Number.POSITIVE_INFINITY, 0];
  const place = parse(cursor);
  const isOfList = place?.[0] === 'list' && place[1] === finite(since) && place[2] === finite(until);
  const [startedAt, memoryKey] = place?.slice(3) ?? [];
  if (isOfList && Number.isInteger(startedAt) && Number.isInteger(memoryKey)) {
    return [Number(startedAt), Number(memoryKey)];
  }
  throw invalidOption('list memories', 'cursor belongs to another list', 'Pass the cursor of the previous page');
}

function parse(cursor: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** JSON cannot express infinity. */
function finite(instant: number): number | null {
  return Number.isFinite(instant) ? instant : null;
}
