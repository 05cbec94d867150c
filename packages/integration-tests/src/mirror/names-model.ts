import { candidateOf, foldName, hasWords, labelsOf, type Spoken, saidBy } from './spoken.ts';

/** A decision about a speaker. */
interface Decision {
  memoryId: string;
  said: string;
  label: string;
  /** Id of a person; null for a removal. */
  person: number | null;
  at: number;
  /** Number of the version in which it was said; null without a version. */
  seen: number | null;
}

interface ModelPerson {
  id: number;
  name: string;
  isMe: boolean;
}

interface State {
  decisions: Decision[];
  people: ModelPerson[];
}

interface Resolved {
  decision: Decision;
  state: 'certain' | 'doubtful' | 'waiting';
  label: string | null;
}

/** A decision of a file of names. */
export interface FileLine {
  memory: string;
  speaker: string;
  person: string | null;
  said: string;
  at: string;
}

const MOST_CHANGES = 50;

/** Implements the rules of names with plain arrays. Each state of a name is computed when it is read. */
export class NamesModel {
  now = 0;
  #versions: Record<string, Spoken[]> = {};
  #state: State = { decisions: [], people: [] };
  #changes: { before: State; changed: readonly Decision[] }[] = [];
  #purged: string[] = [];
  #lastPerson = 0;

  /** Reads a memory, and returns the names that became doubtful. */
  read(memoryId: string, spoken: Spoken): { label: string; person: string }[] {
    if (this.#purged.includes(memoryId)) return [];
    const versions = this.#versionsOf(memoryId);
    if (versions.length > 0 && JSON.stringify(versions.at(-1)) === JSON.stringify(spoken)) return [];
    const before = this.#resolve(memoryId).filter(({ state }) => state === 'doubtful');
    versions.push(spoken);
    this.#versions[memoryId] = versions;
    if (this.indexed(memoryId) !== versions.length) return [];
    for (const decision of this.#decisionsOf(memoryId)) {
      if (decision.seen === null && labelsOf(spoken).some((label) => saidBy(spoken, label) === decision.said)) {
        decision.seen = versions.length;
      }
    }
    return this.#resolve(memoryId)
      .filter(({ state, decision }) => state === 'doubtful' && !before.some((other) => other.decision === decision))
      .map(({ decision }) => ({ label: decision.label, person: this.#nameOf(decision.person) }));
  }

  /** Returns the number of the version that search uses: the last one with words, or the last one. */
  indexed(memoryId: string): number {
    const versions = this.#versionsOf(memoryId);
    return versions.findLastIndex(hasWords) + 1 || versions.length;
  }

  spoken(memoryId: string, version = this.indexed(memoryId)): Spoken {
    return this.#versionsOf(memoryId)[version - 1] ?? null;
  }

  versionCount(memoryId: string): number {
    return this.#versionsOf(memoryId).length;
  }

  name(memoryId: string, label: string, name: string, me: boolean): void {
    this.#change(() => {
      const said = saidBy(this.spoken(memoryId), label);
      const person = this.#personCalled(name);
      for (const each of this.#resolve(memoryId)) {
        const isSettled = isAt(each, label) || (each.state === 'doubtful' && each.decision.person === person.id);
        if (each.decision.said !== said && isSettled) this.#put({ ...each.decision, person: null });
      }
      this.#put({ memoryId, said, label, person: person.id, seen: this.indexed(memoryId) });
      if (me) for (const each of this.#state.people) each.isMe = each === person;
    });
  }

  unname(memoryId: string, label: string): boolean {
    const named = this.#resolve(memoryId).filter((each) => isAt(each, label));
    this.#change(() => {
      for (const { decision } of named) this.#put({ ...decision, person: null });
    });
    return named.length > 0;
  }

  rename(name: string, newName: string): 'unknown_person' | 'name_taken' | undefined {
    const person = this.#find(name);
    const other = this.#find(newName);
    if (person === undefined) return 'unknown_person';
    if (other !== undefined && other !== person) return 'name_taken';
    if (person.name !== newName) {
      this.#change(() => {
        person.name = newName;
        for (const decision of this.#decisionsAbout(person)) this.#put(decision);
      });
    }
    return undefined;
  }

  merge(name: string, into: string): 'unknown_person' | undefined {
    const [person, target] = [this.#find(name), this.#find(into)];
    if (person === undefined || target === undefined) return 'unknown_person';
    if (person !== target) {
      this.#change(() => {
        for (const decision of this.#decisionsAbout(person)) this.#put({ ...decision, person: target.id });
        target.isMe ||= person.isMe;
      });
    }
    return undefined;
  }

  undo(): boolean {
    const change = this.#changes.pop();
    if (change === undefined) return false;
    const { before, changed } = change;
    this.#state.people = before.people;
    for (const key of changed) {
      const old = before.decisions.find((each) => isSame(each, key));
      const decision = this.#state.decisions.find((each) => isSame(each, key));
      if (old?.person != null) this.#put({ ...old, seen: old.seen ?? decision?.seen ?? null });
      else if (decision !== undefined && decision.person !== null) this.#put({ ...decision, person: null });
    }
    this.#removeNameless();
    return true;
  }

  /** Takes the decisions of a file that are newer. Each line has another speaker. */
  import(lines: readonly FileLine[], me: string | undefined) {
    const known = lines.filter(({ memory }) => !this.#purged.includes(memory));
    const decisionOf = ({ memory, said }: FileLine) =>
      this.#state.decisions.find((each) => isSame(each, { memoryId: memory, said }));
    const taken = known.filter((line) => {
      const old = decisionOf(line);
      if (old === undefined || old.at !== Date.parse(line.at)) return old === undefined || old.at < Date.parse(line.at);
      if (line.person === null) return false;
      return old.person === null || foldName(line.person) < foldName(this.#nameOf(old.person));
    });
    const isSaid = (line: FileLine) => {
      const { at, person = null } = decisionOf(line) ?? {};
      return at === Date.parse(line.at) && line.person !== null && this.#find(line.person)?.id === person;
    };
    const spellings = known.filter((line) => taken.includes(line) || isSaid(line));
    this.#change(() => {
      for (const line of taken) {
        const { memory, speaker, person: name, said, at } = line;
        const seen = decisionOf(line)?.seen ?? this.#findSaid(memory, said);
        const person = name === null ? null : this.#personCalled(name).id;
        this.#put({ memoryId: memory, said, label: speaker, person, seen }, Date.parse(at));
      }
      // A person has the spelling of the newest decision.
      for (const person of this.#state.people) {
        const ofPerson = spellings.filter(({ person: name }) => name !== null && this.#find(name) === person);
        const newest = Math.max(...ofPerson.map(({ at }) => Date.parse(at)));
        const line = ofPerson.find(({ at }) => Date.parse(at) === newest);
        if (line?.person == null || this.#newestOf(person) !== newest) continue;
        if (taken.includes(line) || line.person < person.name) person.name = line.person;
      }
      this.#removeNameless();
      const person = me === undefined ? undefined : this.#find(me);
      if (person !== undefined && this.#state.people.every(({ isMe }) => !isMe)) person.isMe = true;
    });
    const doubts = new Set(
      Object.keys(this.#versions)
        .flatMap((memoryId) => this.#resolve(memoryId))
        .filter(({ state }) => state === 'doubtful')
        .map(({ decision }) => decision),
    );
    const isDoubtful = (line: FileLine) => {
      const decision = decisionOf(line);
      if (decision === undefined || !doubts.has(decision)) return false;
      return line.person !== null && this.#find(line.person)?.id === decision.person;
    };
    return {
      ...{ changed: taken.length, unchanged: known.length - taken.length, skipped: lines.length - known.length },
      waiting: known.filter(({ memory }) => this.#versions[memory] === undefined).length,
      doubtful: known.filter(isDoubtful).length,
    };
  }

  /** Removes a person, and the changes to undo. */
  forget(name: string): boolean {
    const person = this.#find(name);
    if (person === undefined) return false;
    for (const decision of this.#decisionsAbout(person)) this.#put({ ...decision, person: null });
    this.#removeNameless();
    this.#changes = [];
    return true;
  }

  /** Removes a memory, and the changes to undo. */
  purge(memoryId: string): boolean {
    if (this.#versions[memoryId] === undefined) return false;
    delete this.#versions[memoryId];
    this.#purged.push(memoryId);
    this.#state.decisions = this.#state.decisions.filter((decision) => decision.memoryId !== memoryId);
    this.#removeNameless();
    this.#changes = [];
    return true;
  }

  /** Returns the certain names of a version, by label. */
  names(memoryId: string, version = this.indexed(memoryId)): Map<string, string> {
    if (version !== this.indexed(memoryId) && !hasWords(this.spoken(memoryId, version))) return new Map();
    const certain = this.#resolve(memoryId, version).filter(({ state }) => state === 'certain');
    return new Map(certain.map(({ label, decision }) => [label ?? '', this.#nameOf(decision.person)]));
  }

  /** Returns who the speakers of a memory are. */
  speakers(memoryId: string) {
    const resolved = this.#resolve(memoryId);
    const names = this.names(memoryId);
    return labelsOf(this.spoken(memoryId)).map((label) => {
      const doubtful = resolved
        .filter((each) => each.state === 'doubtful' && (each.label ?? each.decision.label) === label)
        .map(({ decision }) => this.#nameOf(decision.person));
      const person = names.get(label) ?? null;
      const isMe = this.#state.people.some((each) => each.isMe && each.name === person);
      return { label, person, isMe, doubtful: [...new Set(doubtful)].sort(byFolded) };
    });
  }

  list() {
    return this.#state.people
      .toSorted((one, other) => byFolded(one.name, other.name))
      .map(({ id, name, isMe }) => {
        const memoriesOf = (wanted: string) =>
          Object.keys(this.#versions).filter((memoryId) =>
            this.#resolve(memoryId).some(({ decision, state }) => decision.person === id && state === wanted),
          );
        const certain = memoriesOf('certain');
        const doubtful = memoriesOf('doubtful').filter((memoryId) => !certain.includes(memoryId));
        return { name, isMe, memories: certain.length, doubtful: doubtful.length };
      });
  }

  /** Returns the doubtful names, in no order. */
  doubts() {
    return Object.keys(this.#versions).flatMap((memoryId) =>
      this.#resolve(memoryId)
        .filter(({ state }) => state === 'doubtful')
        .map(({ decision, label }) => {
          return { memoryId, person: this.#nameOf(decision.person), label: decision.label, likely: label };
        }),
    );
  }

  /** Returns the lines of the file of names. */
  lines(): string[] {
    const me = this.#state.people.find(({ isMe }) => isMe)?.name;
    const lines = this.#state.decisions.map(({ memoryId, label, person, said, at }): FileLine => {
      const name = person === null ? null : this.#nameOf(person);
      return { memory: memoryId, speaker: label, person: name, said, at: new Date(at).toISOString() };
    });
    const key = ({ memory, speaker, said }: FileLine) => [memory, speaker, said].join('\0');
    lines.sort((one, other) => (key(one) < key(other) ? -1 : 1));
    const header = { format: 'memory-read people', version: 1 };
    return [header, ...(me === undefined ? [] : [{ me }]), ...lines].map((line) => JSON.stringify(line));
  }

  #versionsOf(memoryId: string): Spoken[] {
    return this.#versions[memoryId] ?? [];
  }

  #decisionsOf(memoryId: string): Decision[] {
    return this.#state.decisions.filter((decision) => decision.memoryId === memoryId && decision.person !== null);
  }

  #decisionsAbout({ id }: ModelPerson): Decision[] {
    return this.#state.decisions.filter(({ person }) => person === id);
  }

  #nameOf(id: number | null): string {
    return this.#state.people.find((person) => person.id === id)?.name ?? '';
  }

  #find(name: string): ModelPerson | undefined {
    return this.#state.people.find((person) => foldName(person.name) === foldName(name));
  }

  #personCalled(name: string): ModelPerson {
    const known = this.#find(name);
    if (known !== undefined) return known;
    this.#lastPerson += 1;
    const person = { id: this.#lastPerson, name, isMe: false };
    this.#state.people.push(person);
    return person;
  }

  #newestOf(person: ModelPerson): number {
    return Math.max(...this.#decisionsAbout(person).map(({ at }) => at));
  }

  /** Returns the newest version in which this was said. */
  #findSaid(memoryId: string, said: string): number | null {
    const versions = this.#versionsOf(memoryId);
    const isIn = (spoken: Spoken) => labelsOf(spoken).some((label) => saidBy(spoken, label) === said);
    return versions.findLastIndex(isIn) + 1 || null;
  }

  /** Writes a decision: by default, one that is newer than the one in its place. */
  #put(decision: Omit<Decision, 'at'>, at?: number): void {
    const { decisions } = this.#state;
    const old = decisions.find((each) => isSame(each, decision));
    const put = { ...decision, at: at ?? Math.max(this.now, (old?.at ?? Number.NEGATIVE_INFINITY) + 1) };
    if (old === undefined) decisions.push(put);
    else Object.assign(old, put);
  }

  #change(work: () => void): void {
    const before = structuredClone(this.#state);
    work();
    this.#removeNameless();
    const changed = this.#state.decisions.filter(
      (decision) => before.decisions.find((each) => isSame(each, decision))?.at !== decision.at,
    );
    if (JSON.stringify(before) !== JSON.stringify(this.#state)) this.#changes.push({ before, changed });
    this.#changes = this.#changes.slice(-MOST_CHANGES);
  }

  #removeNameless(): void {
    this.#state.people = this.#state.people.filter((person) => this.#decisionsAbout(person).length > 0);
  }

  #resolve(memoryId: string, version = this.indexed(memoryId)): Resolved[] {
    const now = this.spoken(memoryId, version);
    const found = this.#decisionsOf(memoryId).map((decision) => {
      const then = decision.seen === null ? undefined : this.spoken(memoryId, decision.seen);
      return { decision, ...candidateOf(decision.said, then, now) };
    });
    if (labelsOf(now).length === 0) {
      return found.map(({ decision }) => ({ decision, state: 'waiting', label: null }));
    }
    return found.map(({ decision, label, likely, isExact, others }) => {
      const isOfPerson = (other: Decision | undefined) => other?.person === decision.person;
      const isAlone =
        found.every((other) => other.label !== label || isOfPerson(other.decision)) &&
        others.every((said) => isOfPerson(found.find((other) => other.decision.said === said)?.decision));
      const isCertain = label !== null && (isExact || isAlone);
      return { decision, state: isCertain ? 'certain' : 'doubtful', label: isCertain ? label : likely };
    });
  }
}

/** Returns whether a name is that of a label, or a doubtful one that was given to it or is likely there. */
function isAt({ decision, state, label: labelNow }: Resolved, label: string): boolean {
  if (state === 'certain') return labelNow === label;
  return state === 'doubtful' && (decision.label === label || labelNow === label);
}

function isSame(one: Pick<Decision, 'memoryId' | 'said'>, other: Pick<Decision, 'memoryId' | 'said'>): boolean {
  return one.memoryId === other.memoryId && one.said === other.said;
}

function byFolded(one: string, other: string): number {
  return foldName(one) < foldName(other) ? -1 : 1;
}
