import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { readIndexedVersion } from '../history/indexed-version.ts';
import { ImageCollector, type Images, storeImages } from './change-images.ts';
import { type ReadVersion, resolveNamesOf } from './follow-names.ts';
import { findNaming, type Naming, writeNaming } from './naming-rows.ts';
import {
  findPerson,
  numbersOf,
  personOfNumber,
  readPeople,
  readPerson,
  type StoredPerson,
  unusedKey,
  writeNumber,
  writePerson,
} from './person-rows.ts';
import type { PersonName } from './read-name.ts';
import { saidOf } from './said.ts';

/** A decision about a speaker: who it is. */
export interface Decision {
  memoryId: string;
  /** Digest of what the speaker said. */
  said: string;
  /** Label of the speaker when the decision was made. */
  label: string;
  /** Number of the person, from `numberOf`; null for a removal. */
  number: number | null;
  /** Version in which it was said. Default: that of the decision before, or the newest version that has it. */
  version?: number | null | undefined;
  /** Whether the label says this in the version in the index, so that it need not be resolved. Default: false. */
  isOfNow?: boolean;
  /** Time of the decision. Default: now, and later than the decision that it replaces. */
  at?: number | undefined;
}

/** A version of a memory, with the digest of what each label says. */
export interface SpokenVersion extends ReadVersion {
  said: ReadonlyMap<string, string>;
}

/** What a change does. */
export interface ChangeContext {
  /** What the caller wanted, for messages. */
  action: string;
  /** Current time, in milliseconds since 1970. */
  now: number;
}

/**
 * Runs a change of names in one transaction, which can be undone.
 *
 * The work makes decisions, and returns a function that reads the result. Before that function runs, the names of the
 * memories that the decisions are about are resolved, their texts in the index are marked, and people without a name in
 * any memory are removed.
 */
export function inChange<Result>(
  database: MirrorDatabase,
  context: ChangeContext,
  work: (change: PeopleChange) => () => Result,
): Result {
  return inTransaction(database, () => {
    const change = new PeopleChange(database, context);
    const read = work(change);
    storeImages(database, change.finish());
    return read();
  });
}

/** A change of names that is being made. It stores what each row was before. */
export class PeopleChange {
  readonly #database: MirrorDatabase;
  readonly #context: ChangeContext;
  readonly #before: ImageCollector;
  /** Memories whose names have to be resolved. */
  readonly #decided = new Set<string>();
  /** Numbers that may have no decision any more. */
  readonly #left = new Set<number>();
  /** People to whom numbers were given, or from whom they were taken. */
  readonly #regrouped = new Set<number>();
  #indexed: SpokenVersion | undefined;

  constructor(database: MirrorDatabase, context: ChangeContext) {
    this.#database = database;
    this.#context = context;
    this.#before = new ImageCollector(database);
  }

  /** Returns the version that search and pages use, with what its speakers say; undefined for an unknown memory. */
  indexed(memoryId: string): SpokenVersion | undefined {
    // A file can have many lines about a memory. A change writes no version.
    if (this.#indexed?.memory.id !== memoryId) {
      const found = readIndexedVersion(this.#database, memoryId);
      this.#indexed = found && { ...found, said: saidOf(found.memory) };
    }
    return this.#indexed;
  }

  /** Returns the person with a folded name; undefined if there is not one. */
  findPerson(folded: string): StoredPerson | undefined {
    return findPerson(this.#database, this.#context.action, folded);
  }

  /** Returns the person who is marked as you; undefined if no person is. */
  me(): StoredPerson | undefined {
    return readPeople(this.#database).find(({ isMe }) => isMe);
  }

  /** Returns a number of the person with this name. A new person gets the name as it is written here. */
  numberOf({ name, folded }: PersonName): number {
    const person = this.findPerson(folded);
    const [known] = person === undefined ? [] : numbersOf(this.#database, person.key);
    if (known !== undefined) return known;
    const key = person?.key ?? unusedKey(this.#database, 'people');
    if (person === undefined) this.writePerson({ key, name, folded, isMe: false });
    const number = unusedKey(this.#database, 'person_numbers');
    this.#before.number(number);
    writeNumber(this.#database, number, key);
    this.#left.add(number);
    return number;
  }

  writePerson(person: StoredPerson): void {
    this.#before.person(person.key);
    writePerson(this.#database, person);
  }

  /** Marks a person as you, and no other one. */
  markMe(key: number): void {
    for (const person of readPeople(this.#database)) {
      const isMe = person.key === key;
      if (person.isMe !== isMe) this.writePerson({ ...person, isMe });
    }
  }

  /** Makes a number stand for a person. */
  giveNumber(number: number, key: number): void {
    const owner = personOfNumber(this.#database, number);
    if (owner === key) return;
    this.#before.number(number);
    writeNumber(this.#database, number, key);
    this.#left.add(number);
    for (const each of [owner, key]) if (each !== undefined) this.#regrouped.add(each);
  }

  /** Makes a decision in the place of one about the same speaker. */
  decide({ memoryId, said, label, number, version, isOfNow = false, at }: Decision): void {
    const before = findNaming(this.#database, memoryId, said);
    this.#write({
      ...{ memoryId, said, label, number },
      at: at ?? this.#later(before),
      version: version ?? before?.version ?? null,
      state: number === null ? 'removed' : isOfNow ? 'certain' : 'waiting',
      labelNow: isOfNow ? label : null,
    });
    this.#decided.add(memoryId);
    for (const each of [before?.number, number]) if (each != null) this.#left.add(each);
  }

  /** Replaces a decision by its removal. */
  remove({ memoryId, said, label }: Naming): void {
    this.decide({ memoryId, said, label, number: null });
  }

  /** Notes that an exported line says something else now, so that the decision is a newer one. */
  renew(naming: Naming): void {
    this.#write({ ...naming, at: this.#later(naming) });
  }

  /** Resolves names, and removes people and numbers without a name. Returns what the changed rows were before. */
  finish(): Images {
    for (const number of this.#left) this.#removeUnused(number);
    for (const key of this.#regrouped) this.#removeNameless(key);
    for (const memoryId of this.#regroupedMemories()) this.#decided.add(memoryId);
    for (const memoryId of this.#decided) resolveNamesOf(this.#database, memoryId);
    return this.#before.images;
  }

  /** A decision is at least 1 ms newer than the one that it replaces, so a wrong clock does not decide all that follows. */
  #later(before: Naming | undefined): number {
    return Math.max(this.#context.now, before === undefined ? this.#context.now : before.at + 1);
  }

  #write(naming: Naming): void {
    this.#before.naming(naming.memoryId, naming.said);
    writeNaming(this.#database, naming);
  }

  #removeUnused(number: number): void {
    if (statement(this.#database, 'SELECT 1 FROM namings WHERE number = ?').get(number) !== undefined) return;
    const key = personOfNumber(this.#database, number);
    if (key === undefined) return;
    this.#before.number(number);
    statement(this.#database, 'DELETE FROM person_numbers WHERE number = ?').run(number);
    this.#removeNameless(key);
  }

  #removeNameless(key: number): void {
    if (statement(this.#database, 'SELECT 1 FROM person_numbers WHERE person_key = ?').get(key) !== undefined) return;
    if (readPerson(this.#database, key) === undefined) return;
    this.#before.person(key);
    statement(this.#database, 'DELETE FROM people WHERE person_key = ?').run(key);
  }

  /**
   * Returns the memories in which names can become certain because two people became one, or doubtful because one became
   * two again. In all others, the names stay, because texts of the index have the number and not the person. A name that
   * was given in the version in the index does not depend on people.
   */
  #regroupedMemories(): string[] {
    const find = statement(
      this.#database,
      `SELECT memory_id, state, version IS indexed_version AS is_of_index
      FROM namings JOIN memories USING (memory_id) WHERE number = ? AND state IN ('certain', 'doubtful')`,
    );
    const numbers = [...this.#regrouped].map((key) => numbersOf(this.#database, key));
    const areSeparate = numbers.filter(({ length }) => length > 0).length > 1;
    const seen = new Map<string, boolean[]>();
    for (const number of numbers.flat()) {
      for (const { memory_id, state, is_of_index } of find.all(number)) {
        const canChange = areSeparate ? is_of_index === 0 : state === 'doubtful';
        seen.set(String(memory_id), [...(seen.get(String(memory_id)) ?? []), canChange]);
      }
    }
    return [...seen].filter(([, names]) => names.length > 1 && names.includes(true)).map(([memoryId]) => memoryId);
  }
}
