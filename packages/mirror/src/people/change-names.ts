import type { MirrorDatabase } from '../database/mirror-database.ts';
import { readIndexedVersion } from '../history/indexed-version.ts';
import { type ChangeContext, inChange } from './changes.ts';
import { readSpeakers } from './list-speakers.ts';
import { readNamings } from './naming-rows.ts';
import { unknownMemory, unknownSpeaker } from './people-errors.ts';
import type { NamedSpeaker } from './people-types.ts';
import { personReader } from './person-rows.ts';
import { readName } from './read-name.ts';
import { saidOf } from './said.ts';

/** Names a speaker of the version that search and pages use. */
export function nameSpeaker(
  database: MirrorDatabase,
  { memoryId, label, person, me, now }: { memoryId: string; label: string; person: string; me: boolean; now: number },
): NamedSpeaker {
  const action = 'name the speaker';
  const name = readName(action, person);
  return inChange(database, { action, now }, (change) => {
    const { memory, version, said } = findSpeaker(database, { memoryId, label, action });
    const number = change.numberOf(name);
    const named = change.findPerson(name.folded);
    const readPerson = personReader(database);
    for (const naming of readNamings(database, memoryId)) {
      if (naming.said === said) continue;
      const isOfLabel = naming.state === 'certain' && naming.labelNow === label;
      const isSamePerson = readPerson(naming.number)?.key === named?.key;
      const isSettled = naming.state === 'doubtful' && (naming.label === label || isSamePerson);
      if (isOfLabel || isSettled) change.remove(naming);
    }
    change.decide({ memoryId, said, label, number, version });
    if (me && named !== undefined) change.markMe(named.key);
    return () => {
      const found = readSpeakers(database, memory).find((speaker) => speaker.label === label);
      if (found === undefined) throw unknownSpeaker(action, label, []);
      return found;
    };
  });
}

/** Removes the name of a speaker, and returns whether there was one. */
export function unnameSpeaker(
  database: MirrorDatabase,
  { memoryId, label, now }: { memoryId: string; label: string; now: number },
): boolean {
  const action = 'remove the name';
  return inChange(database, { action, now }, (change) => {
    findSpeaker(database, { memoryId, label, action });
    const given = readNamings(database, memoryId).filter(
      ({ state, labelNow }) => state === 'certain' && labelNow === label,
    );
    for (const naming of given) change.remove(naming);
    return () => given.length > 0;
  });
}

/** Returns what a speaker says in the version that search and pages use. */
function findSpeaker(
  database: MirrorDatabase,
  { memoryId, label, action }: { memoryId: string; label: string } & Pick<ChangeContext, 'action'>,
) {
  const indexed = readIndexedVersion(database, memoryId);
  if (indexed === undefined) throw unknownMemory(action, memoryId);
  const spoken = saidOf(indexed.memory);
  const said = spoken.get(label);
  if (said === undefined) throw unknownSpeaker(action, label, [...spoken.keys()]);
  return { ...indexed, said };
}
