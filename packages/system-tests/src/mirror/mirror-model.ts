import type { ListedMemory, Memory } from '@memory-read/client';
import { fieldNames, mediaKinds } from '@memory-read/contract/fields';
import type { HistoryEvent, MirroredMemory, SearchHit, SyncReport } from '@memory-read/mirror';

/** How the request of one memory fails. */
export interface ModelFailure {
  code: 'server' | 'connection' | 'not_found' | 'invalid_response' | 'authentication';
}

/** Input of one sync for the model. */
export interface ModelSync {
  /** The list in the order of the server; undefined if its request fails. */
  list: readonly ListedMemory[] | undefined;
  answerOf(memoryId: string): Memory | ModelFailure;
  now: number;
  /** Number of the request that is aborted; the list is request 0. */
  abortAt: number | undefined;
  since: number;
  until: number;
  recheck: number;
  purgesMissing: boolean;
  allowEmpty: boolean;
  dryRun: boolean;
}

/** The report of a sync without its failures, or the reason why it rejects. */
export type ModelOutcome =
  | { report: Omit<SyncReport, 'failed'>; failed: [memoryId: string, code: string][] }
  | { error: string };

/** A hit of a search, without what depends on its text. */
export type ModelHit = Omit<SearchHit, 'speaker' | 'person' | 'segments' | 'offset' | 'snippet' | 'match' | 'lacks'>;

interface ModelMemory {
  id: string;
  events: { version: number; type: HistoryEvent['type']; at: number; fields: string[] }[];
  versions: { version: number; at: number; memory: Memory }[];
  isMissing: boolean;
  /** Number of the sync that read it last. */
  readIn: number;
  /** Data of the list when the memory was read, if the details differed. */
  disagreement: { listed: Memory; isSettled: boolean } | undefined;
}

/** Implements the rules of a mirror with plain arrays, slowly and without a disk. */
export class MirrorModel {
  #memories: ModelMemory[] = [];
  #purged: string[] = [];
  #syncs = 0;
  #emptyLists = 0;

  sync(step: ModelSync): ModelOutcome {
    const { list } = step;
    if (step.abortAt === 0) return { error: 'aborted' };
    if (list === undefined) return { error: 'server' };
    this.#syncs += 1;
    const isListed = ({ id }: ModelMemory) => list.some((listed) => listed.id === id);
    let missing = this.#memories.filter((memory) => !memory.isMissing && !isListed(memory));
    let gone = this.#memories.filter((memory) => step.purgesMissing && memory.isMissing && !isListed(memory));
    const returned = this.#memories.filter((memory) => memory.isMissing && isListed(memory));
    const isUnconfirmed = list.length === 0 && missing.length > 0 && !step.allowEmpty && this.#emptyLists === 0;
    if (isUnconfirmed) [missing, gone] = [[], []];
    const { due, rechecked } = this.#findWork(step, list);
    const known = list.filter(({ id }) => this.#find(id) !== undefined);
    const report = {
      requests: 1,
      listed: list.length,
      processing: list.filter(({ is_processing }) => is_processing).length,
      added: 0,
      changed: 0,
      unchanged: known.length,
      missing: missing.length,
      returned: returned.length,
      purged: gone.length,
      rechecked: rechecked.length,
      unconfirmedEmptyList: isUnconfirmed,
      incompleteList: false,
      mediaSaved: 0,
      mediaBytes: 0,
      doubtfulNames: 0,
      logPending: false,
    };
    if (step.dryRun) {
      report.changed = due.filter(({ id }) => this.#find(id) !== undefined).length;
      report.added = due.length - report.changed;
      report.unchanged -= report.changed;
      return { report, failed: [] };
    }

    this.#emptyLists = isUnconfirmed ? 1 : 0;
    for (const memory of missing) this.#mark(memory, 'missing', step.now);
    for (const memory of returned) this.#mark(memory, 'returned', step.now);
    for (const { id } of gone) this.purge(id);
    const failed: [string, string][] = [];
    let failuresInARow = 0;
    for (const listed of [...due, ...rechecked]) {
      if (step.abortAt === report.requests) return { error: 'aborted' };
      report.requests += 1;
      const answer = step.answerOf(listed.id);
      const isKnown = this.#find(listed.id) !== undefined;
      if ('code' in answer) {
        failuresInARow = answer.code === 'connection' ? failuresInARow + 1 : 0;
        if (answer.code === 'authentication' || failuresInARow === 5) return { error: answer.code };
        failed.push([listed.id, answer.code]);
        if (isKnown) report.unchanged -= 1;
        continue;
      }
      failuresInARow = 0;
      const isNews = this.#read(listed, answer, step.now);
      report.added += isKnown ? 0 : 1;
      report.changed += isKnown && isNews ? 1 : 0;
      report.unchanged -= isKnown && isNews ? 1 : 0;
    }
    return { report, failed };
  }

  purge(memoryId: string): boolean {
    if (this.#find(memoryId) === undefined) return false;
    this.#memories = this.#memories.filter(({ id }) => id !== memoryId);
    this.#purged.push(memoryId);
    return true;
  }

  /** Returns all instants of events. */
  instants(): number[] {
    return this.#memories.flatMap(({ events }) => events.map(({ at }) => at));
  }

  get(memoryId: string, asOf = Number.POSITIVE_INFINITY): MirroredMemory | undefined {
    const memory = this.#find(memoryId);
    const seen = memory?.versions.filter(({ at }) => at <= asOf).at(-1);
    if (memory === undefined || seen === undefined) return undefined;
    const mark = memory.events.filter(({ at, type }) => at <= asOf && /missing|returned/.test(type)).at(-1);
    return {
      memory: withoutUrls(seen.memory),
      version: seen.version,
      seenAt: new Date(seen.at),
      missingSince: mark?.type === 'missing' ? new Date(mark.at) : null,
      names: {},
      me: null,
      media: {},
    };
  }

  history(memoryId: string): HistoryEvent[] {
    return (this.#find(memoryId)?.events ?? []).map((event) => ({ ...event, at: new Date(event.at) }));
  }

  /** Returns the hits for one word, in no order. */
  search(word: string): ModelHit[] {
    return this.#memories.flatMap((memory) => {
      const shown = memory.versions.filter((version) => hasWords(version.memory)).at(-1) ?? memory.versions.at(-1);
      if (shown === undefined) return [];
      const { name, started_at, summary, transcript } = shown.memory;
      const texts = [
        ['name', name],
        ['summary', summary?.quick_summary ?? ''],
        ...(summary?.key_takeaways ?? []).map((takeaway) => ['takeaway', takeaway]),
        ...(transcript?.segments ?? []).map(({ text }) => ['transcript', text]),
      ] as [ModelHit['kind'], string][];
      const hit = {
        memoryId: memory.id,
        name,
        startedAt: started_at,
        version: shown.version,
        isOutdated: shown !== memory.versions.at(-1),
        missingSince: this.get(memory.id)?.missingSince ?? null,
      };
      return texts.filter(([, text]) => text.split(' ').includes(word)).map(([kind]) => ({ ...hit, kind }));
    });
  }

  #find(memoryId: string): ModelMemory | undefined {
    return this.#memories.find(({ id }) => id === memoryId);
  }

  /** Returns the memories to read, newest first, and those to read again, longest unread first. */
  #findWork({ since, until, recheck }: ModelSync, list: readonly ListedMemory[]) {
    const inRange = list.filter(({ id, started_at }) => {
      const start = Date.parse(started_at);
      return !this.#purged.includes(id) && start >= since && start < until;
    });
    const isDue = (listed: ListedMemory) => {
      const memory = this.#find(listed.id);
      const kept = memory?.versions.at(-1)?.memory;
      if (memory === undefined || kept === undefined) return true;
      if (memory.disagreement === undefined) return differs(listed, kept);
      return !memory.disagreement.isSettled || differs(listed, memory.disagreement.listed);
    };
    const due = inRange.filter(isDue).sort((one, other) => Date.parse(other.started_at) - Date.parse(one.started_at));
    const longestUnread = this.#memories
      .toSorted((one, other) => one.readIn - other.readIn)
      .flatMap(({ id }) => inRange.filter((listed) => listed.id === id && !due.includes(listed)));
    return { due, rechecked: longestUnread.slice(0, recheck) };
  }

  #mark(memory: ModelMemory, type: 'missing' | 'returned', now: number): void {
    this.#note(memory, { type, fields: [] }, now);
    memory.isMissing = type === 'missing';
  }

  /** Records the details of a memory. Returns whether they are a new version. */
  #read(listed: ListedMemory, details: Memory, now: number): boolean {
    let memory = this.#find(listed.id);
    if (memory === undefined) {
      memory = { id: listed.id, events: [], versions: [], isMissing: false, readIn: 0, disagreement: undefined };
      this.#memories.push(memory);
    }
    const kept = memory.versions.at(-1)?.memory;
    memory.readIn = this.#syncs;
    memory.disagreement = disagreementOf(memory, listed, details);
    const fields = kept === undefined ? [] : fieldNames.filter((name) => !isSame(name, kept[name], details[name]));
    if (kept !== undefined && fields.length === 0) return false;
    const { version, at } = this.#note(memory, { type: kept === undefined ? 'added' : 'changed', fields }, now);
    memory.versions.push({ version, at, memory: details });
    return true;
  }

  #note(memory: ModelMemory, event: Pick<HistoryEvent, 'type' | 'fields'>, now: number) {
    const at = Math.max(now, (memory.events.at(-1)?.at ?? Number.NEGATIVE_INFINITY) + 1);
    const noted = { ...event, version: memory.events.length + 1, at };
    memory.events.push(noted);
    return noted;
  }
}

const listedFields = fieldNames.filter((name) => name !== 'transcript');

/** Returns whether a list has other data of a memory. A list without a summary is not compared by summary. */
function differs(listed: Memory, other: Memory): boolean {
  return listedFields.some(
    (name) => !(name === 'summary' && listed.summary === null) && !isSame(name, listed[name], other[name]),
  );
}

/** If the same difference occurs twice in a row, the memory is not read again. */
function disagreementOf(before: ModelMemory, listed: ListedMemory, details: Memory): ModelMemory['disagreement'] {
  const kept = before.versions.at(-1)?.memory;
  const earlier = before.disagreement?.listed;
  const stillSaid = isSame('summary', earlier?.summary, kept?.summary) ? undefined : earlier?.summary;
  const said = { ...listed, summary: listed.summary ?? stillSaid ?? details.summary };
  if (!differs(said, details)) return undefined;
  const isSecond =
    earlier !== undefined &&
    kept !== undefined &&
    listedFields.every((name) => isSame(name, earlier[name], said[name]) && isSame(name, kept[name], details[name]));
  return { listed: said, isSettled: isSecond };
}

/** Only the presence of a URL counts. */
function isSame(name: string, one: unknown, other: unknown): boolean {
  if (name.endsWith('_url')) return (one === null) === (other === null);
  return JSON.stringify(one) === JSON.stringify(other);
}

function withoutUrls(memory: Memory): Memory {
  return { ...memory, ...Object.fromEntries(mediaKinds.map((kind) => [`${kind}_url`, null])) };
}

function hasWords({ transcript }: Memory): boolean {
  return transcript?.segments.some(({ text }) => /[a-z]/.test(text)) ?? false;
}
