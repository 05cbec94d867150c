import type { Memory } from '@memory-read/client';
import type { MemoryHit, SearchMiss } from '@memory-read/client/search';
import { speakers } from '@memory-read/client/transcript';
import { systemClock } from '@memory-read/contract/date-time';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { refuseOptions } from '@memory-read/contract/options';
import { isDamage } from '../output/explain.ts';
import { ToolError } from '../output/tool-error.ts';
import { throwIfRefused } from '../throw-if-refused.ts';
import { chooseHit } from './choose-hit.ts';
import { positionOf, readListPosition } from './list-order.ts';
import type {
  MemorySource,
  NamedMemory,
  PageOptions,
  Position,
  Question,
  SourceListOptions,
  SourceSearchOptions,
} from './memory-source.ts';

/** A memory of a mirror. */
export interface MirrorMemory {
  /** The memory, without media URLs. */
  memory: Memory;
  /** Time at which a sync marked the memory as missing; null if the last list contained it. */
  missingSince: Date | null;
  /** Name of each speaker who has one, by label. Default: none. */
  names?: Readonly<Record<string, string>> | undefined;
  /** The one of these names that is the user's. Default: none is. */
  me?: string | null | undefined;
}

/** A hit of a mirror. */
export interface MirrorHit extends Omit<MemoryHit, 'person'> {
  /** Name of the speaker. Default: the speaker has none. */
  person?: string | null | undefined;
  /** Time at which a sync marked the memory as missing; null if the last list contained it. */
  missingSince: Date | null;
}

/** The methods of `Mirror` of `@memory-read/mirror` that the source uses. */
export interface MirrorReader {
  /** Returns a page of the texts with the words of a query, with the memories in the order of hits. */
  search(
    query: string,
    options: { since?: Date; until?: Date; speaker?: string; limit: number; perMemory: number; cursor?: string },
  ): Promise<{
    hits: MirrorHit[];
    cursor: string | null;
    miss: (Omit<SearchMiss, 'nearest'> & { nearest: (MirrorHit & { missing: string[] })[] }) | null;
  }>;
  /** Returns a memory, or the newest version that was read by `asOf`. */
  getMemory(memoryId: string, options?: { asOf?: Date }): Promise<MirrorMemory | undefined>;
  /** Returns a page of the memories, newest first and without transcripts. */
  listMemories(options: {
    since?: Date;
    until?: Date;
    limit: number;
    cursor?: string;
  }): Promise<{ memories: MirrorMemory[]; cursor: string | null }>;
}

/** Options of {@link createMirrorSource}. */
export interface MirrorSourceOptions {
  /** Source of the current time, which is the time of reading in receipts. Default: the clock of the system. */
  clock?:
    | {
        /** Returns the current time. */
        now(): Date;
      }
    | undefined;
}

const PAGE = 100;
const staleCursor =
  'Failed to continue: the cursor does not belong to this mirror. Call the tool again without a cursor.';

/**
 * Returns a source that reads memories from a local mirror. A search covers every memory. It asks the index of the
 * mirror, and reads only the memories that it shows.
 *
 * Memories that the account no longer has are omitted. Old receipts are still verified with their versions. Results have
 * the names of people that the mirror has, and receipts have labels only. The source sends no request. It needs a mirror of `@memory-read/mirror`, or another object with the same three methods, and does
 * not close it.
 *
 * @example
 * ```ts
 * const mirror = await openMirror({ folder, readOnly: true });
 * const server = await serveMcpHttp({ source: createMirrorSource(mirror) });
 * ```
 */
export function createMirrorSource(mirror: MirrorReader, options: MirrorSourceOptions = {}): MemorySource {
  throwIfRefused('create the source', refuseOptions(options, ['clock']));
  const { clock = systemClock } = options;
  return {
    getMemory: async (id) => {
      const found = await mirror.getMemory(id);
      return found === undefined || found.missingSince !== null
        ? undefined
        : { ...toNamed(found), readAt: clock.now() };
    },
    getVersion: async (id, asOf) => {
      const found = await mirror.getMemory(id, { asOf });
      return found && { ...toNamed(found), readAt: asOf };
    },
    listMemories: async ({ limit, ...options }: SourceListOptions) => {
      const memories: NamedMemory[] = [];
      for await (const { listed, before } of walk(mirror, options)) {
        if (memories.length === limit) return { memories, next: before, total: undefined };
        memories.push(await inOrderOfSpeech(mirror, toNamed(listed)));
      }
      return { memories, next: undefined, total: undefined };
    },
    search: async (question: Question, options: SourceSearchOptions) => searchMirror(mirror, clock, question, options),
  };
}

function toNamed({ memory, names, me }: MirrorMemory): NamedMemory {
  return { memory, names: new Map(Object.entries(names ?? {})), me: me ?? undefined };
}

/** A list has no transcripts, so they are read where the order of names depends on them. */
async function inOrderOfSpeech(mirror: MirrorReader, listed: NamedMemory): Promise<NamedMemory> {
  const { memory, names = new Map() } = listed;
  if (names.size < 2) return listed;
  const found = await mirror.getMemory(memory.id).catch(ignoreDamage);
  const spoken = found === undefined ? [] : speakers(found.memory).map(({ speaker }) => speaker);
  const labels = [...spoken.filter((label) => names.has(label)), ...names.keys()];
  return { ...listed, names: new Map(labels.map((label) => [label, names.get(label)])) };
}

/** Enough hits of a memory, so that one of the transcript is among them. */
const HITS_OF_MEMORY = 8;
const HITS = 80;

/** A position is the cursor of a page, and the last memory that was shown. */
async function searchMirror(
  mirror: MirrorReader,
  clock: { now(): Date },
  { text, speaker, since, until }: Question,
  { after, take, signal }: SourceSearchOptions,
): ReturnType<MemorySource['search']> {
  const coverage = { complete: true } as const;
  const read = async (hit: MirrorHit) => {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const found = await mirror.getMemory(hit.memoryId).catch(ignoreDamage);
    return found && { ...toNamed(found), readAt: clock.now(), hit: { ...hit, person: hit.person ?? null } };
  };
  let [cursor = null, shown = null] = (after ?? []) as (string | null)[];
  for (;;) {
    const {
      hits,
      cursor: next,
      miss,
    } = await orStale(
      mirror.search(text, {
        ...limitsOf({ since, until }),
        ...(speaker !== undefined && { speaker }),
        limit: HITS,
        perMemory: HITS_OF_MEMORY,
        ...(cursor !== null && { cursor }),
      }),
    );
    const last = hits.map(({ memoryId }) => memoryId as string | null).lastIndexOf(shown);
    for (const ofMemory of groupHits(hits.slice(last + 1))) {
      const hit = chooseHit(ofMemory);
      if (hit === undefined || hit.missingSince !== null) continue;
      const found = await read(hit);
      if (found !== undefined && !take(found)) return { coverage, next: [cursor, shown] };
      shown = hit.memoryId;
    }
    if (next !== null) {
      cursor = next;
      continue;
    }
    const nearest = [];
    for (const { missing, ...hit } of miss?.nearest ?? []) {
      const found = hit.missingSince === null ? await read(hit) : undefined;
      if (found !== undefined) nearest.push({ ...found, missing });
    }
    if (miss === null) return { coverage, next: undefined };
    const isUnknown = miss.speakers.some(({ memories }) => memories === 0);
    const people = isUnknown ? await namedPeople(mirror) : [];
    return { coverage, next: undefined, miss: { ...miss, nearest, people } };
  }
}

/** Returns the names of the newest memories, so that a misspelt one can be corrected. */
async function namedPeople(mirror: MirrorReader): Promise<string[]> {
  const { memories } = await mirror.listMemories({ limit: PAGE });
  const present = memories.filter(({ missingSince }) => missingSince === null);
  return [...new Set(present.flatMap(({ names = {} }) => Object.values(names)))];
}

/** A memory that is damaged is left out, as in a list of the mirror. */
function ignoreDamage(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}

function groupHits(hits: readonly MirrorHit[]): MirrorHit[][] {
  const groups: MirrorHit[][] = [];
  for (const hit of hits) {
    const group = groups.at(-1);
    if (group?.[0]?.memoryId === hit.memoryId) group.push(hit);
    else groups.push([hit]);
  }
  return groups;
}

function limitsOf({ since, until }: { since: number; until: number }): { since?: Date; until?: Date } {
  return {
    ...(Number.isFinite(since) && { since: new Date(since) }),
    ...(Number.isFinite(until) && { until: new Date(until) }),
  };
}

function orStale<Page>(reading: Promise<Page>): Promise<Page> {
  return reading.catch((error: unknown) => {
    throw (error as { code?: unknown } | null)?.code === 'invalid_option' ? new ToolError(staleCursor) : error;
  });
}

interface Step {
  listed: MirrorMemory;
  /** A walk from this position begins with this memory. */
  before: Position;
}

/** Yields the memories of a range, newest first. A position is the cursor of a page, and the memory before it. */
async function* walk(
  mirror: MirrorReader,
  { since, until, after, signal }: PageOptions & { since: number; until: number },
): AsyncGenerator<Step> {
  let cursor = typeof after?.[0] === 'string' ? after[0] : undefined;
  let position = readListPosition(after);
  let before: Position = after ?? [null, null, null];
  for (;;) {
    const page = await orStale(
      mirror.listMemories({ ...limitsOf({ since, until }), limit: PAGE, ...(cursor !== undefined && { cursor }) }),
    );
    const seen = position === undefined ? -1 : page.memories.findIndex(({ memory }) => memory.id === position?.[1]);
    for (const [index, listed] of page.memories.entries()) {
      const { memory, missingSince } = listed;
      // A mirror reads synchronously. An abort and other calls come between two memories.
      await yieldToEventLoop();
      signal.throwIfAborted();
      const isSeen = position !== undefined && (seen === -1 ? positionOf(memory)[0] > position[0] : index <= seen);
      if (isSeen || missingSince !== null) continue;
      yield { listed, before };
      before = [cursor ?? null, ...positionOf(memory)];
    }
    if (page.cursor === null) return;
    cursor = page.cursor;
    position = undefined;
  }
}
