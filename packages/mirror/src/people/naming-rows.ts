import { checksumOf, hasChecksum } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { parseStored } from '../history/stored-version.ts';
import { numbersOf, type StoredPerson } from './person-rows.ts';

/** A decision about a speaker: a row of `namings`. */
export interface Naming {
  memoryId: string;
  /** Digest of what the speaker said. */
  said: string;
  /** Label of the speaker when the decision was made. */
  label: string;
  /** Number of the person; null for a removal. */
  number: number | null;
  /** Time of the decision, in milliseconds since 1970. */
  at: number;
  /** Version in which it was said; null if the mirror does not have it. */
  version: number | null;
  /** What the decision is for the version in the index. */
  state: 'certain' | 'doubtful' | 'waiting' | 'removed';
  /** Label of the speaker in the version in the index; for a doubtful name, the likely one. */
  labelNow: string | null;
}

/** Returns the decisions about a memory, in the order of `said`, without damaged ones. */
export function readNamings(database: MirrorDatabase, memoryId: string): Naming[] {
  const rows = statement(database, 'SELECT * FROM namings WHERE memory_id = ? ORDER BY said').all(memoryId);
  return rows.flatMap((row) => toNaming(row) ?? []);
}

/** Returns the decision about a speaker; undefined if it does not exist, or if it is damaged. */
export function findNaming(database: MirrorDatabase, memoryId: string, said: string): Naming | undefined {
  const row = statement(database, 'SELECT * FROM namings WHERE memory_id = ? AND said = ?').get(memoryId, said);
  return row && toNaming(row);
}

/** Returns the decisions that name a person, without damaged ones. */
export function namingsOf(database: MirrorDatabase, { key }: StoredPerson): Naming[] {
  const find = statement(database, 'SELECT * FROM namings WHERE number = ?');
  return numbersOf(database, key).flatMap((number) => find.all(number).flatMap((row) => toNaming(row) ?? []));
}

/** Returns a row of `namings` as a decision; undefined if it is damaged. */
export function toNaming(row: Readonly<Record<string, unknown>>): Naming | undefined {
  const [label, labelNow] = [row.label, row.label_now ?? 'null'].map(parseStored);
  if (!hasChecksum(row.checksum, ...namingValues(row)) || label === undefined || labelNow === undefined)
    return undefined;
  const { number, at, version, state } = row as Pick<Naming, 'number' | 'at' | 'version' | 'state'>;
  const [memoryId, said] = [String(row.memory_id), String(row.said)];
  return { memoryId, said, label: label as string, number, at, version, state, labelNow: labelNow as string | null };
}

/** Writes a decision in the place of one about the same speaker. */
export function writeNaming(database: MirrorDatabase, naming: Naming): void {
  const { memoryId, said, number, at, version, state } = naming;
  const label = JSON.stringify(naming.label);
  const labelNow = naming.labelNow === null ? null : JSON.stringify(naming.labelNow);
  const checksum = checksumOf(
    ...namingValues({ memory_id: memoryId, said, label, number, at, version, state, label_now: labelNow }),
  );
  statement(
    database,
    `INSERT INTO namings (memory_id, said, label, number, at, version, state, label_now, checksum)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (memory_id, said) DO UPDATE SET label = excluded.label,
      number = excluded.number, at = excluded.at, version = excluded.version, state = excluded.state,
      label_now = excluded.label_now, checksum = excluded.checksum`,
  ).run(memoryId, said, label, number, at, version, state, labelNow, checksum);
}

/** Returns the values that the checksum of a naming covers. */
export function namingValues(row: Readonly<Record<string, unknown>>): unknown[] {
  const { memory_id, said, label, number, at, version, state, label_now } = row;
  return [memory_id, said, label, number, at, version, state, label_now];
}
