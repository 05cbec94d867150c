import {
  isMemoryApiError,
  isTransient,
  type ListedMemory,
  type Memory,
  type MemoryClient,
  responseInfo,
} from '@memory-read/client';
import {
  type MemoryMatch,
  matchMemory,
  missCounter,
  type PreparedMemory,
  prepareMemory,
} from '@memory-read/client/search';
import { systemClock } from '@memory-read/contract/date-time';
import { unlessAborted, yieldToEventLoop } from '@memory-read/contract/event-loop';
import { refuseNumber, refuseOptions } from '@memory-read/contract/options';
import { LRUCache } from 'lru-cache';
import { throwIfRefused } from '../throw-if-refused.ts';
import { chooseHit } from './choose-hit.ts';
import { comparePositions, positionOf, readListPosition } from './list-order.ts';
import type {
  Coverage,
  MemorySource,
  Position,
  Question,
  ReadMemory,
  SearchHit,
  SourceListOptions,
  SourceMiss,
  SourceSearchOptions,
} from './memory-source.ts';
import { readAhead } from './read-ahead.ts';
import { readShownHits, type ShownHits } from './shown-hits.ts';
import { createTranscriptCache, type TranscriptCache } from './transcript-cache.ts';

const numbers = ['transcriptRequests', 'concurrency', 'searchTimeout', 'cacheBytes', 'listMaxAge', 'transcriptMaxAge'];

/** Options of {@link createLiveSource}. */
export interface LiveSourceOptions {
  /** Maximum number of transcripts that one search requests, from 1 on. Default: 16. */
  transcriptRequests?: number | undefined;
  /** Maximum number of requests in flight of one search, from 1 on. Default: 4. */
  concurrency?: number | undefined;
  /** Time after which a search sends no further request, in milliseconds. Default: 20,000. */
  searchTimeout?: number | undefined;
  /** Maximum size of all cached transcripts, in bytes. 0 caches none. Default: 67,108,864 (64 MiB). */
  cacheBytes?: number | undefined;
  /** Maximum age of a cached list, in milliseconds. Default: 15,000. */
  listMaxAge?: number | undefined;
  /** Maximum age of a cached transcript, in milliseconds. Default: 600,000 (10 minutes). */
  transcriptMaxAge?: number | undefined;
  /** Source of the current time. Default: the clock of the system. */
  clock?:
    | {
        /** Returns the current time. */
        now(): Date;
      }
    | undefined;
}

/**
 * Returns a source that reads memories from the API.
 *
 * A search reads one list, and at most `transcriptRequests` transcripts, newest first. Its `coverage` shows how many
 * memories are left, and the cursor of the page continues with them. The source caches lists and transcripts, so use
 * one source for all servers of an account. Requests follow sections 4.1 and 4.2 of the specification.
 *
 * @example
 * ```ts
 * const source = createLiveSource(client, { transcriptRequests: 64, listMaxAge: 60_000 });
 * ```
 *
 * @throws {@link ConfigurationError} if an option is unknown, or `transcriptRequests`, `concurrency` or `searchTimeout` is not a whole number from 1 on.
 */
export function createLiveSource(
  client: Pick<MemoryClient, 'listMemories' | 'getMemory'>,
  options: LiveSourceOptions = {},
): MemorySource {
  throwIfRefused('create the source', refuseOptions(options, [...numbers, 'clock']));
  return new LiveSource(client, options);
}

class LiveSource implements MemorySource {
  readonly #client: Pick<MemoryClient, 'listMemories' | 'getMemory'>;
  readonly #clock: { now(): Date };
  readonly #transcripts: TranscriptCache;
  readonly #listMaxAge: number;
  readonly #limits: { requests: number; concurrency: number; timeout: number };
  /** Folded titles and summaries of the list. */
  readonly #prepared = new WeakMap<ListedMemory, PreparedMemory>();
  #list: { at: number; memories: Promise<ListedMemory[]> } | undefined;

  constructor(client: Pick<MemoryClient, 'listMemories' | 'getMemory'>, options: LiveSourceOptions) {
    const { transcriptRequests = 16, concurrency = 4, searchTimeout = 20_000, listMaxAge = 15_000 } = options;
    const { cacheBytes = 67_108_864, transcriptMaxAge = 600_000, clock = systemClock } = options;
    assertWhole({ transcriptRequests, concurrency, searchTimeout }, 1);
    assertWhole({ cacheBytes, listMaxAge, transcriptMaxAge }, 0);
    this.#client = client;
    this.#clock = clock;
    this.#listMaxAge = listMaxAge;
    this.#limits = { requests: transcriptRequests, concurrency, timeout: searchTimeout };
    this.#transcripts = createTranscriptCache({
      // The cache needs a limit above 0. No transcript fits into 1 byte.
      cache: new LRUCache({ maxSize: Math.max(1, cacheBytes), sizeCalculation: ({ size }) => size }),
      maxAge: transcriptMaxAge,
      now: () => clock.now().getTime(),
    });
  }

  async getMemory(id: string, { signal }: { signal: AbortSignal }): Promise<ReadMemory | undefined> {
    try {
      const memory = await this.#client.getMemory(id, { signal });
      return { memory, readAt: this.#clock.now() };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async listMemories({ since, until, limit, after, signal }: SourceListOptions) {
    const { all, unreadable } = await this.#readList(signal, { since, until });
    const position = readListPosition(after);
    const rest =
      position === undefined ? all : all.filter((memory) => comparePositions(positionOf(memory), position) > 0);
    const memories = rest.slice(0, limit);
    const last = rest.length > limit ? memories.at(-1) : undefined;
    const total = unreadable === undefined ? undefined : all.length + unreadable;
    return { memories: memories.map((memory) => ({ memory })), next: last && positionOf(last), total, unreadable };
  }

  async search(question: Question, { after, take, signal }: SourceSearchOptions) {
    const { all, unreadable, outsideRange } = await this.#readList(signal, question);
    const inTitles = new Set(
      await filterInTurns(all, (one) => isFound(matchMemory(this.#prepareListed(one), question.query))),
    );
    const failedBefore = after?.[0] === 'again' ? readListPosition(after)?.[1] : undefined;
    const isAfter = (memory: Memory) =>
      memory.id === failedBefore ||
      comparePositions(positionOf(memory), readListPosition(after) ?? positionOf(memory)) > 0;
    const isFirstPage = after === undefined;
    const isInTitles = isFirstPage || after[0] === 'titles';
    const shown = readShownHits(after);
    // A memory can get its title between two pages: only those whose title was shown are left out.
    const isLeft = (memory: ListedMemory) => !(shown.isFull ? inTitles.has(memory) : shown.has(memory.id));
    const coverage: Coverage = {
      ...(unreadable === undefined ? { complete: false } : { memories: all.length + unreadable }),
      transcripts_read: 0,
      memories_left: 0,
      ...(isFirstPage && unreadable && { unreadable }),
    };
    let hits = Number(after?.[2] ?? 0);
    const taking = (hit: SearchHit) => {
      if (!take(hit)) return false;
      hits += 1;
      return true;
    };

    const titled = isInTitles ? all.filter((one) => inTitles.has(one) && (isFirstPage || isAfter(one))) : [];
    for (const [index, memory] of titled.entries()) {
      const read = this.#transcripts.get(memory) ?? { memory, readAt: this.#clock.now() };
      const hit = chooseHit(matchMemory(this.#prepare(memory), question.query).hits);
      if (hit === undefined) continue;
      if (taking({ memory: read.memory, readAt: read.readAt, hit })) {
        shown.add(memory.id);
        continue;
      }
      const titlesLeft = shown.isFull ? titled.length - index : 0;
      coverage.memories_left = (await filterInTurns(all, isLeft)).length + titlesLeft;
      return { coverage, next: this.#before(['titles', shown.toText(), hits], all, memory) };
    }

    const others = await filterInTurns(all, isLeft);
    const left = isInTitles ? others : others.filter(isAfter);
    const search = { left, all, shown, failedBefore, coverage, take: taking, signal, countHits: () => hits };
    const page = await this.#searchTranscripts(question, search);
    if (page.next !== undefined || hits > 0) return page;
    return { ...page, miss: await this.#readMiss(question, all, outsideRange) };
  }

  async #searchTranscripts(
    { query }: Question,
    {
      left,
      all,
      shown,
      failedBefore,
      coverage,
      take,
      signal,
      countHits,
    }: Pick<SourceSearchOptions, 'take' | 'signal'> & {
      left: ListedMemory[];
      all: ListedMemory[];
      shown: ShownHits;
      /** Memory at which the previous page ended. If it fails again, it must not hide those after it. */
      failedBefore: string | undefined;
      coverage: Coverage;
      /** Returns the number of hits on this page and all pages before. */
      countHits: () => number;
    },
  ) {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), this.#limits.timeout);
    const reads = readAhead(left, {
      isCached: (memory) => this.#transcripts.get(memory) !== undefined,
      read: (memory) => this.#readTranscript(memory, AbortSignal.any([signal, ending.signal])),
      requests: this.#limits.requests,
      concurrency: this.#limits.concurrency,
    });
    let read = 0;
    const stateOf = (name: string) => [name, shown.toText(), countHits()];
    const stop = (done: number, stopped?: Coverage['stopped']) => ({
      coverage: {
        ...coverage,
        transcripts_read: read,
        memories_left: left.length - done,
        ...(stopped !== undefined && { stopped }),
      },
      next: done === left.length ? undefined : this.#before(stateOf('transcripts'), all, left[done] as ListedMemory),
    });
    const stopAt = (index: number, stopped: Coverage['stopped']) => ({
      ...stop(index, stopped),
      next: [...stateOf('again'), ...positionOf(left[index] as ListedMemory)],
    });
    try {
      for (const [index, { id }] of left.entries()) {
        await yieldToEventLoop();
        signal.throwIfAborted();
        if (ending.signal.aborted) return stop(index, 'time');
        const reading = reads.next(index);
        if (reading === undefined) return stop(index, 'budget');
        const outcome = await reading.catch((error: unknown) => ({ error }));
        if ('error' in outcome) {
          signal.throwIfAborted();
          const { error } = outcome;
          const isLate = ending.signal.aborted;
          if (!isLate && isNotFound(error)) continue;
          if (isRateLimit(error)) return stop(index, 'rate_limited');
          const isUnavailable = isLate || isTransient(error);
          if (isUnavailable && id !== failedBefore) return stopAt(index, isLate ? 'time' : 'unavailable');
          if (!isUnavailable && !isInvalidResponse(error)) throw error;
          coverage.unreadable = (coverage.unreadable ?? 0) + 1;
          continue;
        }
        read += 1;
        const match = matchMemory(outcome.prepared, query);
        const hit = isFound(match) ? chooseHit(match.hits) : undefined;
        if (hit !== undefined && !take({ memory: outcome.memory, readAt: outcome.readAt, hit })) return stop(index);
      }
      return stop(left.length);
    } finally {
      clearTimeout(timer);
      ending.abort();
    }
  }

  /** Counts the titles and summaries of all memories, and the transcripts that this process has read. */
  async #readMiss({ query }: Question, all: readonly ListedMemory[], outsideRange: number): Promise<SourceMiss> {
    const counter = missCounter(query);
    for (const memory of all) {
      await yieldToEventLoop();
      counter.add(this.#prepare(memory));
    }
    const { nearest, ...counts } = counter.result(outsideRange);
    return {
      ...counts,
      nearest: nearest.flatMap(({ missing, ...hit }) => {
        const listed = all.find(({ id }) => id === hit.memoryId);
        if (listed === undefined) return [];
        const { memory, readAt } = this.#transcripts.get(listed) ?? { memory: listed, readAt: this.#clock.now() };
        return [{ memory, readAt, hit, missing }];
      }),
    };
  }

  /** Returns the texts of a memory: those of the list, and the transcript if it was read. */
  #prepare(listed: ListedMemory): PreparedMemory {
    return this.#transcripts.get(listed)?.prepared ?? this.#prepareListed(listed);
  }

  #prepareListed(listed: ListedMemory): PreparedMemory {
    const prepared = this.#prepared.get(listed) ?? prepareMemory(listed);
    this.#prepared.set(listed, prepared);
    return prepared;
  }

  async #readTranscript(listed: ListedMemory, signal: AbortSignal) {
    const cached = this.#transcripts.get(listed);
    if (cached !== undefined) return cached;
    const memory = await this.#client.getMemory(listed.id, { signal, retries: 0 });
    const read = { memory: withoutMedia(memory), readAt: this.#clock.now(), prepared: prepareMemory(memory) };
    this.#transcripts.set(listed, read);
    return read;
  }

  /** The list is shared, so a call that is cancelled must not end the request for others. */
  async #readList(signal: AbortSignal, { since, until }: { since: number; until: number }) {
    const now = this.#clock.now().getTime();
    if (this.#list === undefined || now - this.#list.at > this.#listMaxAge || now < this.#list.at) {
      const memories = this.#client.listMemories({ validation: 'skip' });
      const list = { at: now, memories };
      this.#list = list;
      memories.catch(() => {
        if (this.#list === list) this.#list = undefined;
      });
    }
    const list = await unlessAborted(this.#list.memories, signal);
    await yieldToEventLoop();
    const all = list
      .filter((memory) => {
        const [start] = positionOf(memory);
        return start >= since && start < until;
      })
      .sort((one, other) => comparePositions(positionOf(one), positionOf(other)));
    // The start of an invalid memory can be unreadable too, so each one counts in any range.
    return { all, unreadable: responseInfo(list)?.skipped.length, outsideRange: list.length - all.length };
  }

  /** Returns the position directly before a memory, so that the next page begins with it. */
  #before(state: Position, all: readonly ListedMemory[], memory: ListedMemory) {
    const previous = all[all.indexOf(memory) - 1];
    return [...state, ...(previous === undefined ? [Number.MAX_SAFE_INTEGER, ''] : positionOf(previous))];
  }
}

function assertWhole(options: Record<string, number>, from: number): void {
  for (const [option, value] of Object.entries(options)) {
    throwIfRefused('create the source', refuseNumber(option, value, [from, Number.MAX_SAFE_INTEGER]));
  }
}

/** Filters like an array, and lets an abort and other calls run meanwhile. */
async function filterInTurns<Item>(items: readonly Item[], keep: (item: Item) => boolean): Promise<Item[]> {
  const kept: Item[] = [];
  for (const item of items) {
    await yieldToEventLoop();
    if (keep(item)) kept.push(item);
  }
  return kept;
}

function isFound({ match }: MemoryMatch): boolean {
  return match === 'together' || match === 'apart';
}

function withoutMedia(memory: Memory): Memory {
  return { ...memory, audio_url: null, video_url: null, preview_image_url: null };
}

function isNotFound(error: unknown): boolean {
  return isMemoryApiError(error) && error.code === 'not_found';
}

function isRateLimit(error: unknown): boolean {
  return isMemoryApiError(error) && error.code === 'rate_limited';
}

function isInvalidResponse(error: unknown): boolean {
  return isMemoryApiError(error) && ['invalid_response', 'invalid_request', 'configuration'].includes(error.code);
}
