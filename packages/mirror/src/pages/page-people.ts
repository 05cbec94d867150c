import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { hashOf } from '../files/file-content.ts';
import { namesReader } from '../people/stored-names.ts';

/** Certain names of a memory. */
export interface PageNames {
  /** Name by label. */
  names: Readonly<Record<string, string>>;
  /** What files depend on. It is a digest, so that the rows of files contain no name. */
  digest: string;
}

/** A person with a certain name. */
export interface PagePerson {
  key: number;
  name: string;
  folded: string;
}

/** The people that the pages show. */
export interface PagePeople {
  /** Names by the id of the memory. A memory without a certain name is left out. */
  names: ReadonlyMap<string, PageNames>;
  /** Everyone in these names. Those who were named first come first. */
  people: readonly PagePerson[];
}

/** Reads the people that the pages show. Somebody can be named meanwhile. */
export function readPagePeople(database: MirrorDatabase): PagePeople {
  return inSnapshot(database, () => readPeople(database));
}

function readPeople(database: MirrorDatabase): PagePeople {
  const names = new Map<string, PageNames>();
  const readNames = namesReader(database);
  const named = database.prepare("SELECT DISTINCT memory_id FROM namings WHERE state = 'certain'").all();
  const shown = new Set<string>();
  for (const { memory_id } of named) {
    const { names: own } = readNames(String(memory_id));
    const entries = Object.entries(own).sort(([one], [other]) => (one < other ? -1 : 1));
    // A damaged row names nobody.
    if (entries.length === 0) continue;
    for (const [, name] of entries) shown.add(name);
    names.set(String(memory_id), { names: own, digest: digestOf(entries) });
  }
  const rows = database.prepare('SELECT person_key, name, folded FROM people ORDER BY person_key').all();
  const people = rows.map(({ person_key, name, folded }) => {
    return { key: Number(person_key), name: String(name), folded: String(folded) };
  });
  return { names, people: people.filter(({ name }) => shown.has(name)) };
}

/** Returns the digest of names, paths or both. */
export function digestOf(value: unknown): string {
  return hashOf({ text: JSON.stringify(value) });
}
