import { replaceControls } from '@memory-read/contract/redaction';
import type { MirrorStorage } from '../database/open-database.ts';
import { markdownOf } from '../documents/markdown-of.ts';
import type { DerivedFiles } from '../files/derived-files.ts';
import { hashOf } from '../files/file-content.ts';
import type { FileRow } from '../files/file-rows.ts';
import { NO_MEMORY } from '../files/file-tables.ts';
import { personStems, stemKey } from '../files/names.ts';
import type { StoredPerson } from '../people/person-rows.ts';
import { type PagePeople, readPagePeople } from './page-people.ts';

/** Beginning of the part of a person; the key of the person follows. */
const personOf = 'person ';
const SUFFIX = '.md';

/** What `writePeoplePages` did. */
export interface PeoplePages {
  /** Path of the page by name, relative to the folder of the mirror. */
  paths: ReadonlyMap<string, string>;
  /** Pages of people who are gone or have another name. They stay, because their owner edited or wrote them. */
  left: string[];
}

/** Returns whether a file is the page of a person. It says nothing about memories. */
export function isPersonPage({ memoryKey, part }: Pick<FileRow, 'memoryKey' | 'part'>): boolean {
  return memoryKey === NO_MEMORY && part.startsWith(personOf);
}

/** Writes the page of each person with a certain name, and removes those of others. An edited page stays. */
export async function writePeoplePages(
  { database }: Pick<MirrorStorage, 'database'>,
  files: DerivedFiles,
  { people }: PagePeople = readPagePeople(database),
): Promise<PeoplePages> {
  const rows = files.rowsOf(NO_MEMORY).filter(isPersonPage);
  const stems = giveStems(people, rows);
  const isCurrent = ({ part, path }: FileRow) => `${stems.get(Number(part.slice(personOf.length)))}${SUFFIX}` === path;
  const former = rows.filter((row) => !isCurrent(row));
  const { left } = await files.remove(former);
  files.drop(former);
  const paths = new Map<string, string>();
  for (const { key, name } of people) {
    const stem = stems.get(key) as string;
    paths.set(name, `${stem}${SUFFIX}`);
    const content = { text: toPersonPage(name) };
    const described = { memoryKey: NO_MEMORY, memoryId: '', part: `${personOf}${key}`, stem, suffix: SUFFIX };
    // A page that its owner wrote is as good a target of links.
    const file = { ...described, version: '', depends: hashOf(content), hasUpdates: false };
    await files.put({ ...file, content: () => content });
  }
  await files.flush();
  return { paths, left };
}

/** Returns the link from a page in `pages` to a file of the mirror, for Markdown. */
export function linkToPerson(path: string): string {
  const parts = path.split('/').slice(1);
  // A lone parenthesis would end the link.
  return parts.map((part) => encodeURIComponent(part).replaceAll('(', '%28').replaceAll(')', '%29')).join('/');
}

/** Returns the stem of each person by key. Who has a name keeps it, so that links stay. */
function giveStems(people: readonly StoredPerson[], rows: readonly FileRow[]): Map<number, string> {
  const known = new Map(rows.map(({ part, path }) => [part, path.slice(0, -SUFFIX.length)]));
  const given = new Map<number, string>();
  const taken = new Set<string>();
  const give = (key: number, stem: string) => {
    given.set(key, stem);
    taken.add(stemKey(stem));
  };
  for (const person of people) {
    const stem = known.get(`${personOf}${person.key}`);
    if (stem !== undefined && personStems(person).includes(stem)) give(person.key, stem);
  }
  for (const person of people) {
    if (given.has(person.key)) continue;
    const [plain, digits] = personStems(person);
    give(person.key, taken.has(stemKey(plain)) ? digits : plain);
  }
  return given;
}

function toPersonPage(name: string): string {
  const fields = { title: replaceControls(name), tags: ['person'] };
  return markdownOf({ name, started_at: '', summary: null, transcript: null }, fields);
}
