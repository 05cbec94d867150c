import { rmSync } from 'node:fs';
import { MemoryClient } from '@memory-read/client';
import { isMirrorError, type Mirror, openMirror, type SyncProgress } from '@memory-read/mirror';
import { allOf } from '@memory-read/test-kit/all-of';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { createRandom, oneOf, type Random } from '@memory-read/test-kit/random';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect } from 'vitest';
import { type FileLine, NamesModel } from './names-model.ts';
import { firstTranscript, processAgain } from './process-again.ts';
import { hasWords, labelsOf, type Spoken, START, saidBy } from './spoken.ts';

const memoryIds = ['mem_0', 'mem_1', 'mem_2'];
const people = ['Ada', 'ADA', 'Bob', 'Zoé', 'zoe', 'Ada Lovelace', 'Carol'];

/**
 * Plays random histories of names, and compares each state with that of plain arrays. Returns how often each event
 * happened.
 */
export async function checkRandomNames({ histories, steps }: { histories: number; steps: number }) {
  const happened: Record<string, number> = {};
  for (let seed = 1; seed <= histories; seed += 1) {
    const history = new RandomHistory(seed, (event, times = 1) => {
      happened[event] = (happened[event] ?? 0) + times;
    });
    await history.play(steps);
  }
  console.log(`${histories} random histories of names: ${JSON.stringify(happened)}`);
  // A rule that the histories never reach would be checked by nothing.
  for (const event of events) expect(happened[event], event).toBeGreaterThan(0);
}

const events = [
  ...['named', 'named during a sync', 'unnamed', 'renamed', 'merged', 'undone', 'purged', 'forgotten'],
  ...['unknown_person', 'name_taken', 'synced', 'doubts'],
  ...['changed', 'unchanged', 'skipped', 'waiting', 'doubtful'].map((name) => `imported: ${name}`),
];

class RandomHistory {
  readonly #seed: number;
  readonly #note: (event: string, times?: number) => void;
  readonly #random: Random;
  readonly #model = new NamesModel();
  readonly #account = new Map<string, Spoken>();
  /** All transcripts that the server ever had. Some of them never get into the mirror. */
  readonly #processed: (readonly [memoryId: string, Spoken])[] = [];
  readonly #folder = makeFolder();
  readonly #exports = [[JSON.stringify({ format: 'memory-read people', version: 1 })]];
  #mirrors: Mirror[] = [];

  constructor(seed: number, note: (event: string, times?: number) => void) {
    this.#seed = seed;
    this.#note = note;
    this.#random = createRandom(seed);
    this.#model.now = Date.parse('2026-11-23T12:00:00.000Z');
  }

  async play(steps: number): Promise<void> {
    // Two open mirrors of one folder are like two processes.
    const clock = { now: () => new Date(this.#model.now) };
    for (let index = 0; index < 2; index += 1) this.#mirrors.push(await openMirror({ folder: this.#folder, clock }));
    await this.#sync();
    for (let step = 1; step <= steps; step += 1) {
      this.#model.now += Math.floor(this.#random() * 7_200_000) - 1_800_000;
      await this.#step();
      await this.#compare(`seed ${this.#seed}, step ${step}`);
      if (step % 5 === 0 || step === steps) await this.#compareMore(`seed ${this.#seed}, step ${step}`);
    }
    expect((await this.#mirror.check()).damaged, `seed ${this.#seed}`).toEqual([]);
    for (const mirror of this.#mirrors) await mirror.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** Mostly a speaker with a name. */
  #anySpeaker(): { memoryId: string; label: string } | undefined {
    const memoryId = oneOf(this.#random, memoryIds);
    const named = [...this.#model.names(memoryId).keys()];
    const labels = this.#random() < 0.5 && named.length > 0 ? named : labelsOf(this.#model.spoken(memoryId));
    return labels.length === 0 ? undefined : { memoryId, label: oneOf(this.#random, labels) };
  }

  /** Mostly a person who exists. */
  #anyPerson(): string {
    const known = this.#model.list().map(({ name }) => name);
    return oneOf(this.#random, this.#random() < 0.7 && known.length > 0 ? known : people);
  }

  get #mirror(): Mirror {
    return oneOf(this.#random, this.#mirrors);
  }

  async #step(): Promise<void> {
    const chance = this.#random();
    if (chance < 0.3) await this.#name();
    else if (chance < 0.57) await this.#sync();
    else if (chance < 0.62) await this.#unname();
    else if (chance < 0.69) await this.#changePeople('rename');
    else if (chance < 0.77) await this.#changePeople('merge');
    else if (chance < 0.85) await this.#undo();
    else if (chance < 0.95) await this.#import();
    else if (chance < 0.985) await this.#purge();
    else await this.#forget();
  }

  async #name(): Promise<void> {
    const speaker = this.#anySpeaker();
    if (speaker === undefined) return;
    const { memoryId, label } = speaker;
    const [person, me] = [oneOf(this.#random, people), this.#random() < 0.2];
    this.#note('named');
    this.#model.name(memoryId, label, person, me);
    const named = await this.#mirror.people.name(memoryId, label, person, { me });
    expect(named.person).toBe(this.#model.names(memoryId).get(label));
  }

  async #unname(): Promise<void> {
    const speaker = this.#anySpeaker();
    if (speaker === undefined) return;
    const { memoryId, label } = speaker;
    const removed = this.#model.unname(memoryId, label);
    if (removed) this.#note('unnamed');
    expect(await this.#mirror.people.unname(memoryId, label)).toBe(removed);
  }

  async #changePeople(change: 'rename' | 'merge'): Promise<void> {
    const [person, name] = [this.#anyPerson(), this.#anyPerson()];
    const refused = this.#model[change](person, name);
    this.#note(refused ?? `${change}d`);
    expect(await codeOf(this.#mirror.people[change](person, name))).toBe(refused);
  }

  async #undo(): Promise<void> {
    const undone = this.#model.undo();
    if (undone) this.#note('undone');
    expect(await this.#mirror.people.undo()).toBe(undone);
  }

  /** Imports an earlier export, or the file of another user. */
  async #import(): Promise<void> {
    const lines = this.#random() < 0.5 ? oneOf(this.#random, this.#exports) : this.#foreignLines();
    const [, ...parsed] = lines.map((line) => JSON.parse(line));
    const me = parsed.find((line) => 'me' in line)?.me;
    const expected = this.#model.import(
      parsed.filter((line) => 'said' in line),
      me,
    );
    for (const [name, count] of Object.entries(expected)) this.#note(`imported: ${name}`, count);
    expect(await this.#mirror.people.import(lines.map((line) => `${line}\n`).join(''))).toEqual(expected);
  }

  #foreignLines(): string[] {
    const header = { format: 'memory-read people', version: 1 };
    const unknown = ['mem_9', [['A', 0, 9, 'crane']]] as const;
    const lines = [...this.#processed, unknown].flatMap(([memory, spoken]) =>
      labelsOf(hasWords(spoken) ? spoken : []).map((speaker): FileLine => {
        const person = this.#random() < 0.2 ? null : oneOf(this.#random, people);
        const at = new Date(this.#model.now + Math.floor((this.#random() - 0.7) * 7_200_000)).toISOString();
        return { memory, speaker, person, said: saidBy(spoken, speaker), at };
      }),
    );
    const chosen = lines.filter(({ memory, said }, index) => {
      const isFirst = lines.findIndex((line) => line.memory === memory && line.said === said) === index;
      return this.#random() < 0.4 && isFirst;
    });
    const me = oneOf(this.#random, people);
    return [header, ...(this.#random() < 0.5 ? [{ me }] : []), ...chosen].map((line) => JSON.stringify(line));
  }

  async #forget(): Promise<void> {
    const person = this.#anyPerson();
    const refused = this.#model.forget(person) ? undefined : 'unknown_person';
    this.#note(refused ?? 'forgotten');
    expect(await codeOf(this.#mirror.people.forget(person))).toBe(refused);
  }

  async #purge(): Promise<void> {
    const memoryId = oneOf(this.#random, memoryIds);
    const purged = this.#model.purge(memoryId);
    if (purged) this.#note('purged');
    expect((await this.#mirror.purge(memoryId)).purged).toBe(purged);
  }

  /** Processes some memories again, and syncs. Sometimes, names change during the sync. */
  async #sync(): Promise<void> {
    for (const memoryId of memoryIds) {
      const known = this.#account.get(memoryId);
      for (let times = Math.floor(this.#random() * 2.4); times > 0; times -= 1) {
        const spoken = known === undefined ? firstTranscript(this.#random) : processAgain(this.#random, known);
        this.#account.set(memoryId, spoken);
        this.#processed.push([memoryId, spoken]);
      }
    }
    let during = this.#random() < 0.3 ? () => this.#name() : undefined;
    const client = clientOf(this.#account, async () => {
      const change = during;
      during = undefined;
      if (change !== undefined) this.#note('named during a sync');
      await change?.();
    });
    const doubts: unknown[] = [];
    const onProgress = (event: SyncProgress) => void (event.type === 'doubt' && doubts.push(event));
    const report = await this.#mirror.sync(client, { recheck: memoryIds.length, concurrency: 1, onProgress });
    const expected = [...this.#account].flatMap(([memoryId, spoken]) =>
      this.#model.read(memoryId, spoken).map((doubt) => ({ type: 'doubt', memoryId, ...doubt })),
    );
    this.#note('synced');
    this.#note('doubts', expected.length);
    expect(sorted(doubts)).toEqual(sorted(expected));
    expect(report).toMatchObject({ doubtfulNames: expected.length, failed: [] });
  }

  async #compare(where: string): Promise<void> {
    const model = this.#model;
    expect(await this.#mirror.people.list(), where).toEqual(model.list());
    const doubts = (await this.#mirror.people.doubts()).map(({ name, startedAt, ...doubt }) => doubt);
    expect(sorted(doubts), where).toEqual(sorted(model.doubts()));
    for (const memoryId of memoryIds.filter((each) => model.versionCount(each) > 0)) {
      const speakers = await this.#mirror.people.speakers(memoryId);
      const found = speakers.map(({ label, person, isMe, doubtful }) => ({ label, person, isMe, doubtful }));
      expect(sorted(found), where).toEqual(sorted(model.speakers(memoryId)));
    }
  }

  /** Compares the names of all versions, the search and the file. */
  async #compareMore(where: string): Promise<void> {
    for (const memoryId of memoryIds) {
      const events = await this.#mirror.history(memoryId);
      for (const { version, at } of events) {
        const read = await this.#mirror.getMemory(memoryId, version === events.length ? {} : { asOf: at });
        const names = new Map(Object.entries(read?.names ?? {}));
        expect(names, `${where}, ${memoryId}, version ${version}`).toEqual(this.#model.names(memoryId, version));
      }
    }
    await this.#compareSearch(where);
    const lines = (await allOf(this.#mirror.people.export())).map((line) => line.replace(/\n$/, ''));
    expect(lines, where).toEqual(this.#model.lines());
    this.#exports.push(lines);
  }

  /** A person is found in all texts of their speakers with a word, and nowhere else. */
  async #compareSearch(where: string): Promise<void> {
    for (const { name, memories } of this.#model.list()) {
      const { hits } = await this.#mirror.search('crane', { speaker: name, limit: 200 });
      const expected = memoryIds.flatMap((memoryId) =>
        [...this.#model.names(memoryId)]
          .filter(([label, person]) => person === name && this.#says(memoryId, label, 'crane'))
          .map(([label]) => `${memoryId} ${label}: ${name}`),
      );
      // If all names of a person are doubtful, the words of the name can find another person.
      const shown = memories === 0 ? hits.filter(({ person }) => person === name) : hits;
      const found = shown.map(({ memoryId, speaker, person }) => `${memoryId} ${speaker}: ${person}`);
      expect([...new Set(found)].sort(), where).toEqual(expected.sort());
    }
  }

  #says(memoryId: string, label: string, word: string): boolean {
    return this.#model.spoken(memoryId)?.some(([each, , , text]) => each === label && text.includes(word)) ?? false;
  }
}

/** Returns a client of an account with these transcripts. */
function clientOf(account: ReadonlyMap<string, Spoken>, onDetails: () => Promise<void>): MemoryClient {
  const memoryOf = (id: string, spoken: Spoken) => {
    const at = (second: number) => new Date(START + second * 1_000).toISOString();
    const segments = spoken?.map(([speaker, from, to, text]) => ({
      speaker,
      start_at: at(from),
      end_at: at(to),
      text,
    }));
    const transcript = segments === undefined ? null : { segments };
    return sampleMemory({ id, started_at: at(0), summary: null, audio_url: null, transcript });
  };
  const fetch = async ({ url }: Request) => {
    const [, memoryId] = new URL(url).pathname.split('/memories/');
    if (memoryId === undefined) {
      return Response.json([...account].map(([id]) => ({ ...memoryOf(id, null), transcript: null })));
    }
    await onDetails();
    return Response.json(memoryOf(memoryId, account.get(memoryId) ?? null));
  };
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', retries: 0, fetch });
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!isMirrorError(error)) throw error;
    return error.code;
  }
}

function sorted(items: readonly unknown[]): string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}
