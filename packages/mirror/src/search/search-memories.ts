import { createHash } from 'node:crypto';
import type { TimeRange } from '@memory-read/client/search';
import { parseDateTime } from '@memory-read/contract/date-time';
import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/open-database.ts';
import { checkOptions, checkText, invalidOption, readCount, readRange } from '../options/check-options.ts';
import { findTerms, smallestSpan } from './find-terms.ts';
import { keysOf, kindMark, nameKeyOf, placeOf, speakerMark } from './index-memory.ts';
import { lastSlotOf, slotOf } from './index-position.ts';
import { parseQuery, type Query, type Term } from './parse-query.ts';
import type { HitKind, SearchHit, SearchOptions, SearchPage } from './search-types.ts';
import { toSnippet } from './to-snippet.ts';
import { speakerKey } from './tokens.ts';
import type { UnitSegments } from './units.ts';

const action = 'search the mirror';
const kinds: readonly HitKind[] = ['name', 'summary', 'takeaway', 'transcript'];

/** Returns the units that contain all words of the query, newest memory first. */
export function searchMemories(database: MirrorDatabase, text: string, options: SearchOptions): SearchPage {
  checkText(action, 'query', text);
  checkOptions(action, options, ['since', 'until', 'timeZone', 'speaker', 'kind', 'limit', 'cursor']);
  if (options.speaker !== undefined) checkText(action, 'speaker', options.speaker);
  if (options.cursor !== undefined) checkText(action, 'cursor', options.cursor);
  const range = readRange(action, options);
  const wantedKinds = readKinds(options.kind);
  const limit = readCount(action, 'limit', options.limit, { min: 1, max: 200, default: 20 });
  const query = parseQuery(text);
  if (options.speaker !== undefined) query.speakers.push(speakerKey(options.speaker));
  const match = toMatch(query, wantedKinds);
  const fingerprint = hashOf([match, finite(range.since), finite(range.until)]);
  const before = readCursor(options.cursor, fingerprint);
  if (match === undefined) return { hits: [], cursor: null };

  return inSnapshot(database, () => {
    const keys = findKeys(database, match, { range, before, limit: limit + 1 });
    const read = hitReader(database, query.terms);
    const hits = keys.slice(0, limit).map((key) => read(key));
    const last = keys.length > limit ? keys[limit - 1] : undefined;
    return { hits, cursor: last === undefined ? null : writeCursor(fingerprint, last) };
  });
}

function readKinds(kind: unknown): readonly HitKind[] {
  if (kind === undefined) return kinds;
  const wanted: unknown[] = Array.isArray(kind) ? kind : [kind];
  const known = kinds.filter((one) => wanted.includes(one));
  if (known.length === new Set(wanted).size) return known;
  throw invalidOption(action, 'kind is not supported', `Use some of ${kinds.join(', ')}`);
}

/** Returns the query for the index. It contains text of the user only as tokens in quotes. */
function toMatch(query: Query, wantedKinds: readonly HitKind[]): string | undefined {
  if (query.terms.length === 0 && query.speakers.length === 0) return undefined;
  const words = query.terms.map((term) => `tokens : ${phrase(term)}`);
  const speakers = query.speakers.map((key) => `marks : "${speakerMark(key)}"`);
  const ofKinds = wantedKinds.map((kind) => `marks : "${kindMark(kind)}"`).join(' OR ');
  const wanted = [...words, ...speakers, ...(wantedKinds.length < kinds.length ? [`(${ofKinds})`] : [])];
  const without = [
    ...query.without.map((term) => `tokens : ${phrase(term)}`),
    ...query.withoutSpeakers.map((key) => `marks : "${speakerMark(key)}"`),
  ];
  if (wantedKinds.length === 0) return undefined;
  return `(${wanted.join(' AND ')})${without.length === 0 ? '' : ` NOT (${without.join(' OR ')})`}`;
}

function phrase({ tokens, isPrefix }: Term): string {
  return `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`;
}

/** Returns the keys of the hits in their order. A range is first applied to slots, then to the exact start. */
function findKeys(
  database: MirrorDatabase,
  match: string,
  { range, before, limit }: { range: TimeRange; before: bigint | undefined; limit: number },
): bigint[] {
  const find = database.prepare(
    'SELECT rowid AS key FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
  );
  find.setReadBigInts(true);
  const readStart = startReader(database);
  const first = Number.isFinite(range.since) ? keysOf(slotOf(range.since)).first : 0n;
  let end = Number.isFinite(range.until) ? keysOf(lastSlotOf(database, range.until)).last : MAXIMUM_KEY;
  if (before !== undefined && before < end) end = before;
  const keys: bigint[] = [];
  for (;;) {
    const rows = find.all(match, first, end, limit).map(({ key }) => key as bigint);
    for (const key of rows) {
      const start = readStart(nameKeyOf(key));
      if (start >= range.since && start < range.until) keys.push(key);
    }
    const last = rows.at(-1);
    if (keys.length >= limit || rows.length < limit || last === undefined) return keys.slice(0, limit);
    end = last;
  }
}

const MAXIMUM_KEY = 2n ** 63n - 1n;

/** Returns a function that reads the exact start of a memory, by the key of its name. */
function startReader(database: MirrorDatabase): (nameKey: bigint) => number {
  const find = database.prepare('SELECT segments FROM units WHERE unit_key = ?');
  return (nameKey) => parseDateTime(String(JSON.parse(String(find.get(nameKey)?.segments)))) ?? 0;
}

/** Returns a function that reads a hit, without parsing a transcript. */
function hitReader(database: MirrorDatabase, terms: readonly Term[]): (key: bigint) => SearchHit {
  const findUnit = database.prepare('SELECT kind, speaker, text, segments FROM units WHERE unit_key = ?');
  const findMemory = database.prepare(
    `SELECT memory_id, missing_since, indexed_version, current_version FROM memories
    WHERE start_slot = ? AND disambiguator = ?`,
  );
  return (key) => {
    const unit = findUnit.get(key) ?? {};
    const name = findUnit.get(nameKeyOf(key)) ?? {};
    const memory = findMemory.get(...placeOf(key)) ?? {};
    const text = String(unit.text);
    const turn = unit.kind === 'transcript' ? (JSON.parse(String(unit.segments)) as UnitSegments) : undefined;
    const found = findTerms(text, terms);
    const span = smallestSpan(found, sizeIn(turn));
    const run = turn && (span ? runOf(turn, span) : { first: 0, last: turn.starts.length - 1 });
    return {
      memoryId: String(memory.memory_id),
      name: String(name.text),
      startedAt: String(JSON.parse(String(name.segments))),
      missingSince: memory.missing_since === null ? null : new Date(Number(memory.missing_since)),
      version: Number(memory.indexed_version),
      isOutdated: memory.indexed_version !== memory.current_version,
      kind: unit.kind as HitKind,
      speaker: unit.speaker as string | null,
      segments: turn && run ? { first: turn.first + run.first, last: turn.first + run.last } : null,
      offset: turn && run ? (turn.offsets[run.first] ?? 0) : null,
      snippet: toSnippet(text, span, found.flat()),
    };
  };
}

/** A span with fewer segments is smaller. With the same number of segments, fewer characters are smaller. */
function sizeIn(turn: UnitSegments | undefined): (span: { start: number; end: number }) => number {
  return (span) => {
    const { first, last } = turn ? runOf(turn, span) : { first: 0, last: 0 };
    return (last - first) * 1e9 + (span.end - span.start);
  };
}

function runOf(
  { starts }: UnitSegments,
  { start, end }: { start: number; end: number },
): { first: number; last: number } {
  const first = starts.findLastIndex((begin) => begin <= start);
  const last = starts.findLastIndex((begin) => begin < end);
  return { first, last: Math.max(first, last) };
}

function writeCursor(fingerprint: string, key: bigint): string {
  return Buffer.from(JSON.stringify(['search', fingerprint, String(key)])).toString('base64url');
}

function readCursor(cursor: string | undefined, fingerprint: string): bigint | undefined {
  if (cursor === undefined) return undefined;
  const place = parse(cursor);
  const [format, ofQuery, key] = Array.isArray(place) ? place : [];
  if (format === 'search' && ofQuery === fingerprint && /^\d{1,19}$/.test(String(key))) {
    const before = BigInt(String(key));
    if (before <= MAXIMUM_KEY) return before;
  }
  throw invalidOption(action, 'cursor belongs to another search', 'Pass the cursor of the previous page');
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function finite(instant: number): number | null {
  return Number.isFinite(instant) ? instant : null;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
