import type { Memory } from '@memory-read/client';
import { speakers, type Turn, turns } from '@memory-read/client/transcript';
import { visibleText } from '@memory-read/contract/visible-text';
import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { readIndexedVersion } from '../history/indexed-version.ts';
import { namedOf } from './follow-names.ts';
import { unknownMemory } from './people-errors.ts';
import type { NamedSpeaker } from './people-types.ts';
import { personReader } from './person-rows.ts';
import { hasPeople, namesReader } from './stored-names.ts';

const MOST_EXCERPTS = 2;
const LONGEST_EXCERPT = 120;

/** Returns the speakers of a memory in the order of first speech, with their people. */
export function listSpeakers(database: MirrorDatabase, memoryId: string, action: string): NamedSpeaker[] {
  return inSnapshot(database, () => {
    const indexed = readIndexedVersion(database, memoryId);
    if (indexed === undefined) throw unknownMemory(action, memoryId);
    return readSpeakers(database, indexed.memory);
  });
}

/** Returns the speakers of the version that search and pages use. */
export function readSpeakers(database: MirrorDatabase, memory: Memory): NamedSpeaker[] {
  const { names, me } = namesReader(database)(memory.id);
  const doubtfulOf = doubtfulNames(database, memory.id);
  const said = turns(memory);
  return speakers(memory).map(({ speaker: label, segments, duration }) => {
    const person = names[label] ?? null;
    return {
      ...{ label, person, isMe: person !== null && person === me },
      doubtful: doubtfulOf.get(label) ?? [],
      ...{ segments, duration },
      excerpts: excerptsOf(said.filter(({ speaker }) => speaker === label)),
    };
  });
}

/** Returns the doubtful names by the likely label. Without one, the label is the one that was named. */
function doubtfulNames(database: MirrorDatabase, memoryId: string): Map<string, string[]> {
  if (!hasPeople(database)) return new Map();
  const readPerson = personReader(database);
  const found = new Map<string, Map<string, string>>();
  for (const { state, label, labelNow, number } of namedOf(database, memoryId)) {
    const person = state === 'doubtful' ? readPerson(number) : undefined;
    if (person === undefined) continue;
    const names = found.get(labelNow ?? label) ?? new Map();
    found.set(labelNow ?? label, names.set(person.folded, person.name));
  }
  return new Map(
    Array.from(found, ([label, names]) => [label, [...names.keys()].sort().map((key) => names.get(key) ?? '')]),
  );
}

function excerptsOf(said: readonly Turn[]): NamedSpeaker['excerpts'] {
  const longest = said
    .map(({ start, end, text }) => ({ start, length: end - start, text: visibleText(text, LONGEST_EXCERPT) }))
    .filter(({ text }) => text !== '')
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_EXCERPTS);
  return longest.sort((one, other) => one.start - other.start).map(({ start, text }) => ({ offset: start, text }));
}
