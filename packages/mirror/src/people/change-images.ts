import { checksumOf } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { parseStored } from '../history/stored-version.ts';
import { findNaming, type Naming } from './naming-rows.ts';
import { personOfNumber, readPerson, type StoredPerson } from './person-rows.ts';

/** Number of changes that can be undone. */
const MOST_CHANGES = 50;

/** What rows were before a change; null for a row that did not exist. */
export interface Images {
  people: [key: number, before: StoredPerson | null][];
  numbers: [number: number, personBefore: number | null][];
  namings: [memoryId: string, said: string, before: Naming | null][];
}

/** Collects what rows were before a change. Call a method before each write of a row. */
export class ImageCollector {
  readonly images: Images = { people: [], numbers: [], namings: [] };
  readonly #database: MirrorDatabase;
  readonly #known = new Set<string>();

  constructor(database: MirrorDatabase) {
    this.#database = database;
  }

  person(key: number): void {
    if (this.#isNew('person', key)) this.images.people.push([key, readPerson(this.#database, key) ?? null]);
  }

  number(number: number): void {
    if (this.#isNew('number', number)) {
      this.images.numbers.push([number, personOfNumber(this.#database, number) ?? null]);
    }
  }

  naming(memoryId: string, said: string): void {
    if (!this.#isNew(memoryId, said)) return;
    this.images.namings.push([memoryId, said, findNaming(this.#database, memoryId, said) ?? null]);
  }

  #isNew(...key: unknown[]): boolean {
    const text = JSON.stringify(key);
    if (this.#known.has(text)) return false;
    this.#known.add(text);
    return true;
  }
}

/** Stores what rows were before a change, so that it can be undone. A change of nothing is not stored. */
export function storeImages(database: MirrorDatabase, images: Images): void {
  if (Object.values(images).every((rows) => rows.length === 0)) return;
  const text = JSON.stringify(images);
  database.prepare('INSERT INTO people_changes (before) VALUES (?)').run(`${checksumOf(text)} ${text}`);
  database
    .prepare(
      'DELETE FROM people_changes WHERE change_key NOT IN (SELECT change_key FROM people_changes ORDER BY change_key DESC LIMIT ?)',
    )
    .run(MOST_CHANGES);
}

/** Returns the names that a person had before the stored changes, and those of people who were merged into this one. */
export function formerNames(database: MirrorDatabase, { key }: StoredPerson): string[] {
  const changes = database.prepare('SELECT before FROM people_changes').all();
  const images = changes.flatMap(({ before }) => readImages(before) ?? []);
  const isOfPerson = ([number]: Images['numbers'][number]) => personOfNumber(database, number) === key;
  const merged = images.flatMap(({ numbers }) => numbers.filter(isOfPerson).map(([, before]) => before));
  const keys = new Set([key, ...merged]);
  return images.flatMap(({ people }) =>
    people.flatMap(([each, before]) => (before !== null && keys.has(each) ? [before.name] : [])),
  );
}

/** Returns stored images; undefined if they are damaged. */
export function readImages(before: unknown): Images | undefined {
  const [, checksum, text] = /^(\d+) (.*)$/s.exec(String(before)) ?? [];
  return text !== undefined && Number(checksum) === checksumOf(text) ? (parseStored(text) as Images) : undefined;
}
