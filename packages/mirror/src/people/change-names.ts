import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { type ChangeContext, inChange, type PeopleChange } from './changes.ts';
import { readSpeakers } from './list-speakers.ts';
import { type Naming, toNaming } from './naming-rows.ts';
import { unknownMemory, unknownSpeaker } from './people-errors.ts';
import type { NamedSpeaker } from './people-types.ts';
import { personReader } from './person-rows.ts';
import { type PersonName, readName } from './read-name.ts';

/** Names a speaker of the version that search and pages use. */
export function nameSpeaker(
  database: MirrorDatabase,
  { memoryId, label, person, me, now }: { memoryId: string; label: string; person: string; me: boolean; now: number },
): NamedSpeaker {
  const action = 'name the speaker';
  const name = readName(action, person);
  return inChange(database, { action, now }, (change) => {
    const { memory } = decideName(database, change, { memoryId, label, name, action });
    const named = change.findPerson(name.folded);
    if (me && named !== undefined) change.markMe(named.key);
    return () => readSpeakers(database, memory).find((speaker) => speaker.label === label) as NamedSpeaker;
  });
}

/** Removes the name of a speaker and the doubtful ones, and returns whether there was one. */
export function unnameSpeaker(
  database: MirrorDatabase,
  { memoryId, label, now }: { memoryId: string; label: string; now: number },
): boolean {
  const action = 'remove the name';
  return inChange(database, { action, now }, (change) => {
    const wasNamed = decideRemoval(database, change, { memoryId, label, action });
    return () => wasNamed;
  });
}

/** A speaker of the version that search and pages use. */
interface SpeakerOfNow extends Pick<ChangeContext, 'action'> {
  memoryId: string;
  label: string;
}

/** Names a speaker as a part of a change, and returns the version in which it speaks. */
export function decideName(
  database: MirrorDatabase,
  change: PeopleChange,
  { name, ...speaker }: SpeakerOfNow & { name: PersonName },
): ReturnType<typeof findSpeaker> {
  const { memoryId, label } = speaker;
  const found = findSpeaker(change, speaker);
  const number = change.numberOf(name);
  const named = change.findPerson(name.folded);
  const readPerson = personReader(database);
  for (const naming of namingsNear(database, speaker)) {
    if (naming.said === found.said) continue;
    const isSamePerson = naming.state === 'doubtful' && readPerson(naming.number)?.key === named?.key;
    if (isAt(naming, label) || isSamePerson) change.remove(naming);
  }
  change.decide({ memoryId, said: found.said, label, number, version: found.version, isOfNow: true });
  return found;
}

/** Removes the name of a speaker and the doubtful ones as a part of a change, and returns whether there was one. */
export function decideRemoval(database: MirrorDatabase, change: PeopleChange, speaker: SpeakerOfNow): boolean {
  const given = namingsAt(database, speaker);
  // The label of a doubtful name can be one that the version does not have.
  if (given.length === 0) findSpeaker(change, speaker);
  for (const naming of given) change.remove(naming);
  return given.length > 0;
}

/** Returns the decisions that name a speaker now, and the doubtful ones. */
export function namingsAt(database: MirrorDatabase, speaker: Omit<SpeakerOfNow, 'action'>): Naming[] {
  return namingsNear(database, speaker).filter((naming) => isAt(naming, speaker.label));
}

/** Returns the decisions that name a speaker now, and all doubtful ones of the memory. */
function namingsNear(database: MirrorDatabase, { memoryId, label }: Omit<SpeakerOfNow, 'action'>): Naming[] {
  const rows = statement(
    database,
    "SELECT * FROM namings WHERE memory_id = ? AND (state = 'doubtful' OR label_now = ?) ORDER BY said",
  ).all(memoryId, JSON.stringify(label));
  return rows.flatMap((row) => toNaming(row) ?? []);
}

/** Returns whether a speaker has a name, or a doubtful one: it was given to the label, or is likely there. */
function isAt({ state, label: given, labelNow }: Naming, label: string): boolean {
  return (state === 'certain' && labelNow === label) || (state === 'doubtful' && [given, labelNow].includes(label));
}

/** Returns what a speaker says in the version that search and pages use. */
function findSpeaker(change: PeopleChange, { memoryId, label, action }: SpeakerOfNow) {
  const indexed = change.indexed(memoryId);
  if (indexed === undefined) throw unknownMemory(action, memoryId);
  const said = indexed.said.get(label);
  if (said === undefined) throw unknownSpeaker(action, label, [...indexed.said.keys()]);
  return { ...indexed, said };
}
