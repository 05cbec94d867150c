import type { Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { readIndexedVersion } from '../history/indexed-version.ts';
import { ifWhole } from '../history/stored-version.ts';
import { markSpeakers } from '../search/mark-speakers.ts';
import { type Naming, readNamings, writeNaming } from './naming-rows.ts';
import { personOfNumber, personReader } from './person-rows.ts';
import { type ResolvedName, resolveNames } from './resolve-names.ts';
import { saidOf } from './said.ts';
import { seenVersions } from './seen-versions.ts';

/** A name that has become doubtful. */
export interface NewDoubt {
  /** Label of the speaker when the person was named. */
  label: string;
  person: string;
}

/** A version of a memory. */
export interface ReadVersion {
  memory: Memory;
  version: number;
}

/**
 * Resolves the names of a memory for the version that is about to be indexed, and returns those that became doubtful.
 * Call it in the transaction that writes the version, before the index.
 */
export function followNames(database: MirrorDatabase, indexed: ReadVersion): NewDoubt[] {
  const readPerson = personReader(database);
  return followedNamings(database, indexed).flatMap(({ naming, next }) => {
    if (next.version !== naming.version || next.state !== naming.state || next.labelNow !== naming.labelNow) {
      writeNaming(database, next);
    }
    const isNewDoubt = next.state === 'doubtful' && naming.state !== 'doubtful';
    const person = isNewDoubt ? readPerson(naming.number) : undefined;
    return person === undefined ? [] : [{ label: naming.label, person: person.name }];
  });
}

/** Returns the decisions about a memory that name a person, and what they are if a version is in the index. */
export function followedNamings(
  database: MirrorDatabase,
  { memory, version }: ReadVersion,
): { naming: Naming; next: Naming }[] {
  const namings = namedOf(database, memory.id);
  if (namings.length === 0) return [];
  const said = new Set(saidOf(memory).values());
  const resolved = resolveForVersion(database, namings, { memory, version });
  return namings.map((naming, index) => {
    const state = said.size === 0 ? 'waiting' : (resolved[index]?.state ?? 'waiting');
    const next: Naming = {
      ...naming,
      version: naming.version ?? (said.has(naming.said) ? version : null),
      state,
      labelNow: state === 'waiting' ? null : (resolved[index]?.label ?? null),
    };
    return { naming, next };
  });
}

/** Resolves the names of a memory after a change of them, and marks its texts in the index. */
export function resolveNamesOf(database: MirrorDatabase, memoryId: string): void {
  const indexed = ifWhole(() => readIndexedVersion(database, memoryId));
  if (indexed === undefined) return;
  const seen = seenVersions(database, memoryId);
  for (const naming of namedOf(database, memoryId)) {
    const version = naming.version ?? seen.find(naming.said);
    if (version !== naming.version && version !== undefined) writeNaming(database, { ...naming, version });
  }
  followNames(database, indexed);
  markSpeakers(database, memoryId);
}

/** Returns what becomes of names in a version. */
export function resolveForVersion(
  database: MirrorDatabase,
  namings: readonly Naming[],
  { memory, version }: ReadVersion,
): ResolvedName[] {
  const said = new Set(saidOf(memory).values());
  const seen = seenVersions(database, memory.id);
  // An old version is read only if the words of the speaker have changed.
  const seenBy = (naming: Naming) => {
    if (naming.version === null || said.has(naming.said)) return undefined;
    return naming.version === version ? memory : seen.read(naming.version);
  };
  const named = namings.map((naming) => ({
    said: naming.said,
    person: personOf(database, naming),
    seen: seenBy(naming),
  }));
  return resolveNames(named, memory);
}

/** Returns the decisions about a memory that name a person. */
export function namedOf(database: MirrorDatabase, memoryId: string): Naming[] {
  return readNamings(database, memoryId).filter(({ number }) => number !== null);
}

/** A number that is damaged is like a person of its own: it must not make two people one. */
function personOf(database: MirrorDatabase, { number }: Naming): number {
  return personOfNumber(database, Number(number)) ?? -Number(number);
}
