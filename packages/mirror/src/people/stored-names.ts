import { isWhole } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';

/** The certain names of a memory, for the version that search and pages use. */
export interface StoredNames {
  /** Name by label, without a prototype. */
  names: Record<string, string>;
  /** The one of these names that is yours; null if none is. */
  me: string | null;
  /** Number of the person by label. */
  numbers: ReadonlyMap<string, number>;
}

/** Returns whether the mirror has people. One of an earlier version that is open for reading only has none. */
export function hasPeople(database: MirrorDatabase): boolean {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version) >= 4;
}

/** Returns a function that reads the certain names of a memory. A row that is damaged names nobody. */
export function namesReader(database: MirrorDatabase): (memoryId: string) => StoredNames {
  if (!hasPeople(database)) return () => ({ names: noNames(), me: null, numbers: new Map() });
  const find = database.prepare(
    `SELECT namings.*, person_numbers.checksum AS number_checksum, people.person_key, people.name, people.folded,
      people.is_me, people.checksum AS person_checksum
    FROM namings JOIN person_numbers USING (number) JOIN people USING (person_key)
    WHERE memory_id = ? AND state = 'certain' ORDER BY naming_key`,
  );
  return (memoryId) => {
    const names = noNames();
    const numbers = new Map<string, number>();
    let me: string | null = null;
    for (const row of find.all(memoryId)) {
      if (!isWholeNaming(row)) continue;
      const label = JSON.parse(String(row.label_now)) as string;
      names[label] = String(row.name);
      numbers.set(label, Number(row.number));
      if (row.is_me === 1) me = String(row.name);
    }
    return { names, me, numbers };
  };
}

function isWholeNaming(row: Readonly<Record<string, unknown>>): boolean {
  return isWhole(row.checksum, ...namingValues(row)) && isWholePerson(row);
}

/** Returns whether a number of a person and the person are whole. Their checksums have the names of their tables. */
export function isWholePerson(row: Readonly<Record<string, unknown>>): boolean {
  return (
    isWhole(row.number_checksum, row.number, row.person_key) &&
    isWhole(row.person_checksum, row.person_key, row.name, row.folded, row.is_me)
  );
}

/** Returns the values that the checksum of a naming covers. */
export function namingValues(row: Readonly<Record<string, unknown>>): unknown[] {
  const { memory_id, said, label, number, at, version, state, label_now } = row;
  return [memory_id, said, label, number, at, version, state, label_now];
}

/** A label such as `__proto__` is a name like another. */
export function noNames(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}
