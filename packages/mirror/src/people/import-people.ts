import type { MirrorDatabase } from '../database/mirror-database.ts';
import { isMirrorError } from '../errors/mirror-error.ts';
import { ofCaller } from '../errors/stored-values.ts';
import { isPurged } from '../purge/purge-memories.ts';
import { decideName, decideRemoval, namingsAt } from './change-names.ts';
import { inChange, type PeopleChange } from './changes.ts';
import { resolveNamesOf } from './follow-names.ts';
import { findNaming, type Naming, namingsOf } from './naming-rows.ts';
import { importAction, invalidFile } from './people-errors.ts';
import { type FileDecision, readPeopleFile } from './people-file.ts';
import type { PeopleImport } from './people-types.ts';
import { personReader } from './person-rows.ts';
import type { PersonName } from './read-name.ts';

/** Imports the lines of a file of people, all or none. */
export async function importPeople(
  database: MirrorDatabase,
  text: string | AsyncIterable<string>,
  now: number,
): Promise<PeopleImport> {
  const file = await ofCaller(() => readPeopleFile(text));
  return inChange(database, { action: importAction, now }, (change) => {
    // The id of a purged memory must not get into any row.
    const decisions = withoutPurged(database, file.decisions);
    const run = new ImportRun(database, change);
    const changed = run.takeDated(newestOf(decisions)) + run.takeByHand(decisions.filter(({ at }) => at === undefined));
    if (file.me !== undefined) run.takeMe(file.me);
    return () => ({
      changed,
      unchanged: decisions.length - changed,
      skipped: file.decisions.length - decisions.length,
      ...countOpen(database, decisions),
    });
  });
}

function withoutPurged(database: MirrorDatabase, decisions: readonly FileDecision[]): FileDecision[] {
  const purged = new Map<string, boolean>();
  for (const { memoryId } of decisions) {
    if (!purged.has(memoryId)) purged.set(memoryId, isPurged(database, memoryId));
  }
  return decisions.filter(({ memoryId }) => purged.get(memoryId) === false);
}

/** Returns the newest decision about each speaker, without those that are decided now. */
function newestOf(decisions: readonly FileDecision[]): FileDecision[] {
  const newest = new Map<string, FileDecision>();
  for (const decision of decisions) {
    const key = JSON.stringify([decision.memoryId, decision.said]);
    const known = newest.get(key)?.at ?? Number.NEGATIVE_INFINITY;
    if (decision.at !== undefined && decision.at > known) newest.set(key, decision);
  }
  return [...newest.values()];
}

/** Returns how many decisions wait for their memory, and how many names of the file are doubtful. */
function countOpen(
  database: MirrorDatabase,
  decisions: readonly FileDecision[],
): Pick<PeopleImport, 'waiting' | 'doubtful'> {
  const findMemory = database.prepare('SELECT 1 FROM memories WHERE memory_id = ?');
  const readPerson = personReader(database);
  const doubtful = new Set<string>();
  let waiting = 0;
  for (const { memoryId, said, person } of decisions) {
    if (findMemory.get(memoryId) === undefined) waiting += 1;
    const naming = said === undefined ? undefined : findNaming(database, memoryId, said);
    if (naming?.state !== 'doubtful' || readPerson(naming.number)?.folded !== person?.folded) continue;
    doubtful.add(JSON.stringify([memoryId, said]));
  }
  return { waiting, doubtful: doubtful.size };
}

/** How a line spells the name of a person. */
interface Spelling {
  at: number;
  name: string;
  /** Whether the decision is new for this mirror. */
  isTaken: boolean;
}

/** What an import does to the names of a mirror. */
class ImportRun {
  readonly #database: MirrorDatabase;
  readonly #change: PeopleChange;
  readonly #decided = new Set<string>();

  constructor(database: MirrorDatabase, change: PeopleChange) {
    this.#database = database;
    this.#change = change;
  }

  /** Takes the decisions that are newer than those of the mirror, and returns their number. */
  takeDated(decisions: readonly FileDecision[]): number {
    const spellings = new Map<string, Spelling>();
    let taken = 0;
    for (const decision of decisions) {
      const { memoryId, said = '', at = 0, person } = decision;
      const before = findNaming(this.#database, memoryId, said);
      const isTaken = before === undefined || before.at < at;
      if (isTaken) {
        this.#decide(decision);
        taken += 1;
      }
      if (person === null || !(isTaken || (before.at === at && this.#isPerson(before.number, person)))) continue;
      if (at > (spellings.get(person.folded)?.at ?? Number.NEGATIVE_INFINITY)) {
        spellings.set(person.folded, { at, name: person.name, isTaken });
      }
    }
    for (const [folded, spelling] of spellings) this.#spell(folded, spelling);
    return taken;
  }

  /** Takes decisions without a time in their order, and returns the number of those that change something. */
  takeByHand(decisions: readonly FileDecision[]): number {
    return decisions.filter((decision) => {
      if (decision.said === undefined) return this.#takeSpeakerOfNow(decision);
      const before = findNaming(this.#database, decision.memoryId, decision.said);
      if (before !== undefined && this.#isPerson(before.number, decision.person)) return false;
      this.#decide(decision);
      return true;
    }).length;
  }

  /** Marks a person as you, unless another person is you and still has a name after this import. */
  takeMe({ folded }: PersonName): void {
    const [me, person] = [this.#change.me(), this.#change.findPerson(folded)];
    const hasMe = me !== undefined && namingsOf(this.#database, me).length > 0;
    if (person !== undefined && !hasMe) this.#change.markMe(person.key);
  }

  #decide({ memoryId, said = '', label, person, at }: FileDecision): void {
    const before = findNaming(this.#database, memoryId, said);
    const isSame = before !== undefined && this.#isPerson(before.number, person);
    const number = isSame ? before.number : person && this.#change.numberOf(person);
    this.#change.decide({ memoryId, said, label, number, at });
    this.#decided.add(memoryId);
  }

  #takeSpeakerOfNow({ memoryId, label, person, line }: FileDecision): boolean {
    const speaker = { memoryId, label, action: importAction };
    // Earlier lines can have changed who speaks.
    if (this.#decided.delete(memoryId)) resolveNamesOf(this.#database, memoryId);
    try {
      const given = namingsAt(this.#database, speaker);
      const isDecided = ({ state, number }: Naming) => state === 'certain' && this.#isPerson(number, person);
      const isNamed = given.length > 0 && given.every(isDecided);
      if (isNamed || (person === null && !decideRemoval(this.#database, this.#change, speaker))) return false;
      if (person !== null) decideName(this.#database, this.#change, { ...speaker, name: person });
      this.#decided.add(memoryId);
      return true;
    } catch (error) {
      throw isMirrorError(error) ? atLine(error, line) : error;
    }
  }

  /**
   * Spells a name as the newest decision about the person does. If two mirrors spell the same decision differently, both
   * take the spelling that is first in the order of its UTF-16 units. So they agree after they have exchanged their files.
   */
  #spell(folded: string, { at, name, isTaken }: Spelling): void {
    const person = this.#change.findPerson(folded);
    if (person === undefined || !(isTaken ? name !== person.name : name < person.name)) return;
    const newest = namingsOf(this.#database, person).reduce((latest, naming) => Math.max(latest, naming.at), at);
    if (newest === at) this.#change.writePerson({ ...person, name });
  }

  #isPerson(number: number | null, person: PersonName | null): boolean {
    if (number === null || person === null) return number === person;
    return personReader(this.#database)(number)?.folded === person.folded;
  }
}

function atLine(error: { code: string }, line: number): unknown {
  if (error.code === 'unknown_memory') {
    const problem = `line ${line} is about a memory that the mirror does not have`;
    return invalidFile(problem, 'Sync the mirror, or add said to the line');
  }
  return error.code === 'unknown_speaker'
    ? invalidFile(`line ${line} has a speaker that the memory does not have`)
    : error;
}
