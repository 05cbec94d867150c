import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { toNaming } from './naming-rows.ts';
import { personReader, type StoredPerson } from './person-rows.ts';

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
  return Number(statement(database, 'PRAGMA user_version').get()?.user_version) >= 4;
}

/** Returns a function that reads the certain names of a memory. A row that is damaged names no person. */
export function namesReader(database: MirrorDatabase): (memoryId: string) => StoredNames {
  if (!hasPeople(database)) return () => namesOf([], () => undefined);
  const find = statement(database, "SELECT * FROM namings WHERE memory_id = ? AND state = 'certain' ORDER BY at, said");
  const readPerson = personReader(database);
  return (memoryId) => {
    const namings = find.all(memoryId).flatMap((row) => toNaming(row) ?? []);
    return namesOf(
      namings.map(({ labelNow, number }) => ({ label: labelNow, number })),
      readPerson,
    );
  };
}

/** Returns the names of speakers whose people have these numbers. */
export function namesOf(
  speakers: readonly { label: string | null; number: number | null }[],
  readPerson: (number: number) => StoredPerson | undefined,
): StoredNames {
  const names = noNames();
  const numbers = new Map<string, number>();
  let me: string | null = null;
  for (const { label, number } of speakers) {
    const person = number === null ? undefined : readPerson(number);
    if (person === undefined || number === null || label === null) continue;
    names[label] = person.name;
    numbers.set(label, number);
    if (person.isMe) me = person.name;
  }
  return { names, me, numbers };
}

/** A label such as `__proto__` is a name like another. */
export function noNames(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}
