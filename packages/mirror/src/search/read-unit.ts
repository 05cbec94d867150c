import type { SearchText } from '@memory-read/client/search';
import { isWhole } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { parseStored } from '../history/stored-version.ts';

/** A row of `units`. */
export interface StoredUnit extends Pick<SearchText, 'kind' | 'speaker' | 'text'> {
  /** Segments of a text; for a name, the start of the memory. */
  segments: unknown;
}

/** Returns a function that reads a row of `units` by its key; undefined if it is missing or damaged. */
export function unitReader(database: MirrorDatabase): (key: bigint) => StoredUnit | undefined {
  const find = database.prepare('SELECT * FROM units WHERE unit_key = ?');
  // The key can be larger than the safe integers.
  find.setReadBigInts(true);
  return (key) => {
    const row = find.get(key);
    return row && toUnit(row);
  };
}

/** Returns a row of `units`; undefined if it is damaged. */
export function toUnit({ kind, speaker, text, segments, checksum }: Record<string, unknown>): StoredUnit | undefined {
  const value = parseStored(segments);
  if (value === undefined || !isWhole(checksum == null ? null : Number(checksum), kind, speaker, text, segments)) {
    return undefined;
  }
  const exact = (value as { speaker?: unknown } | null)?.speaker;
  return { kind, speaker: typeof exact === 'string' ? exact : speaker, text, segments: value } as StoredUnit;
}

/** Returns the segments of a text as they are stored. SQLite replaces lone surrogates, so a label with one is here too. */
export function toStoredSegments({ speaker, segments }: Pick<SearchText, 'speaker' | 'segments'>): unknown {
  return speaker === null || speaker.isWellFormed() ? segments : { ...segments, speaker };
}
