import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { hashOf } from '../files/file-content.ts';
import { readPeople, type StoredPerson } from '../people/person-rows.ts';
import { namesReader } from '../people/stored-names.ts';

/** Certain names of a memory. */
export interface PageNames {
  /** Name by label. */
  names: Readonly<Record<string, string>>;
  /** What files depend on. It is a digest, so that the rows of files contain no name. */
  digest: string;
}

/** The people that the pages show. */
export interface PagePeople {
  /** Names by the id of the memory. A memory without a certain name is left out. */
  names: ReadonlyMap<string, PageNames>;
  /** Everyone in these names, in the order of their folded names. */
  people: readonly StoredPerson[];
}

/** Reads the people that the pages show, in one state: another process can change names meanwhile. */
export function readPagePeople(database: MirrorDatabase): PagePeople {
  return inSnapshot(database, () => readShown(database));
}

function readShown(database: MirrorDatabase): PagePeople {
  const names = new Map<string, PageNames>();
  const readNames = namesReader(database);
  const named = database.prepare("SELECT DISTINCT memory_id FROM namings WHERE state = 'certain'").all();
  const shown = new Set<string>();
  for (const { memory_id } of named) {
    const { names: own } = readNames(String(memory_id));
    const entries = Object.entries(own).sort(([one], [other]) => (one < other ? -1 : 1));
    // Damaged rows have no name.
    if (entries.length === 0) continue;
    for (const [, name] of entries) shown.add(name);
    names.set(String(memory_id), { names: own, digest: digestOf(entries) });
  }
  return { names, people: readPeople(database).filter(({ name }) => shown.has(name)) };
}

/** Returns the digest of names, paths or both. */
export function digestOf(value: unknown): string {
  return hashOf({ text: JSON.stringify(value) });
}
