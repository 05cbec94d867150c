import { createHash } from 'node:crypto';
import { type HitKind, hitKinds, isEmptyQuery, parseQuery } from '@memory-read/client/search';
import { assertVersion } from '../database/assert-version.ts';
import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { checkOptions, checkText, invalidOption, readCount, readRange } from '../options/check-options.ts';
import { readCertainPeople } from '../people/person-rows.ts';
import { hasPeople } from '../people/stored-names.ts';
import { findHits, isPlace, type Place } from './find-hits.ts';
import { memoriesIn } from './memory-range.ts';
import { expressionsOf } from './query-expressions.ts';
import { readMiss } from './search-miss.ts';
import type { SearchOptions, SearchPage } from './search-types.ts';
import { hitReader } from './unit-hits.ts';

const action = 'search the mirror';

/** Returns the texts with the words of the query: first the memories with all words in one text, newest first. */
export function searchMemories(database: MirrorDatabase, text: string, options: SearchOptions): SearchPage {
  checkText(action, 'query', text);
  checkOptions(action, options, ['since', 'until', 'timeZone', 'speaker', 'kind', 'limit', 'perMemory', 'cursor']);
  if (options.speaker !== undefined) checkText(action, 'speaker', options.speaker);
  if (options.cursor !== undefined) checkText(action, 'cursor', options.cursor);
  const range = readRange(action, options);
  const kind = readKinds(options.kind);
  const limit = readCount(action, 'limit', options.limit, { min: 1, max: 200, default: 20 });
  const perMemory =
    options.perMemory === undefined
      ? Number.POSITIVE_INFINITY
      : readCount(action, 'perMemory', options.perMemory, { min: 1, max: 200, default: 3 });
  const conditions = { speaker: options.speaker, kind };
  const parsed = parseQuery(text, conditions);
  const fingerprint = hashOf([parsed, finite(range.since), finite(range.until), finite(perMemory)]);
  const after = readCursor(options.cursor, fingerprint);
  if (isEmptyQuery(parsed)) return { hits: [], cursor: null, miss: null };

  return inSnapshot(database, () => {
    assertVersion(database, action, 2);
    const isAsked = parsed.speakers.length + parsed.withoutSpeakers.length > 0;
    const people = isAsked && hasPeople(database) ? readCertainPeople(database) : [];
    const query = parseQuery(text, { ...conditions, people: people.map(({ name }) => name) });
    const expressions = expressionsOf(query, people);
    const search = {
      query,
      expressions,
      range: memoriesIn(database, range),
      hits: hitReader(database, query, expressions),
    };
    const found = [...findHits(database, search, { after, limit: limit + 1, perMemory })];
    const last = found.length > limit ? found[limit - 1] : undefined;
    return {
      hits: found.slice(0, limit).map(({ hit }) => hit),
      cursor: last === undefined ? null : writeCursor(fingerprint, last.place),
      miss: found.length > 0 || after !== undefined ? null : readMiss(database, search),
    };
  });
}

function readKinds(kind: unknown): readonly HitKind[] {
  if (kind === undefined) return hitKinds;
  const wanted: unknown[] = Array.isArray(kind) ? kind : [kind];
  const known = hitKinds.filter((one) => wanted.includes(one));
  if (known.length === new Set(wanted).size) return known;
  throw invalidOption(action, 'kind is not supported', `Use some of ${hitKinds.join(', ')}`);
}

function writeCursor(fingerprint: string, { tier, key, shown }: Place): string {
  return Buffer.from(JSON.stringify(['search', fingerprint, tier, String(key), shown])).toString('base64url');
}

function readCursor(cursor: string | undefined, fingerprint: string): Place | undefined {
  if (cursor === undefined) return undefined;
  const parts = parse(cursor);
  const [format, ofQuery, tier, key, shown] = Array.isArray(parts) ? parts : [];
  if (format === 'search' && ofQuery === fingerprint && /^\d{1,19}$/.test(String(key))) {
    const place = { tier, key: BigInt(String(key)), shown };
    if (isPlace(place)) return place;
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

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
