import type { Memory } from '@memory-read/client';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { ToolError } from '../output/tool-error.ts';
import { foldTranscript, matchMemory, type Question } from '../search/searched-memory.ts';
import { systemClock } from '../system-clock.ts';
import { positionOf, readListPosition } from './list-order.ts';
import type { MemorySource, PageOptions, Position, SourceListOptions, SourceSearchOptions } from './memory-source.ts';

/** A memory of a mirror. */
export interface MirrorMemory {
  /** The memory, without media URLs. */
  memory: Memory;
  /** Time at which a sync marked the memory as missing; null if the last list contained it. */
  missingSince: Date | null;
}

/** The methods of `Mirror` of `@memory-read/mirror` that the source uses. */
export interface MirrorReader {
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
 * Returns a source that reads memories from a local mirror. A search covers every memory, and reads the transcripts one
 * by one. All words have to be in one memory, not in one turn, so the full-text index of the mirror is not enough.
 *
 * Memories that the account no longer has are omitted. Old receipts are still verified with their versions. The source
 * sends no request. It needs a mirror of `@memory-read/mirror`, or another object with the same two methods, and does
 * not close it.
 *
 * @example
 * ```ts
 * const mirror = await openMirror({ folder, readOnly: true });
 * const server = await serveMcpHttp({ source: createMirrorSource(mirror) });
 * ```
 */
export function createMirrorSource(mirror: MirrorReader, options: MirrorSourceOptions = {}): MemorySource {
  const { clock = systemClock } = options;
  return {
    getMemory: async (id) => {
      const found = await mirror.getMemory(id);
      return found === undefined || found.missingSince !== null
        ? undefined
        : { memory: found.memory, readAt: clock.now() };
    },
    getVersion: async (id, asOf) => {
      const found = await mirror.getMemory(id, { asOf });
      return found && { memory: found.memory, readAt: asOf };
    },
    listMemories: async ({ limit, ...options }: SourceListOptions) => {
      const memories: Memory[] = [];
      for await (const { memory, before } of walk(mirror, options)) {
        if (memories.length === limit) return { memories, next: before, total: undefined };
        memories.push(memory);
      }
      return { memories, next: undefined, total: undefined };
    },
    search: async (question: Question, { take, ...options }: SourceSearchOptions) => {
      const coverage = { complete: true } as const;
      for await (const { memory: listed, before } of walk(mirror, { ...question, ...options })) {
        const found = await mirror.getMemory(listed.id);
        if (found === undefined) continue;
        const match = matchMemory(found.memory, foldTranscript(found.memory), question);
        if (match !== undefined && !take({ memory: found.memory, readAt: clock.now(), ...match })) {
          return { coverage, next: before };
        }
      }
      return { coverage, next: undefined };
    },
  };
}

interface Step {
  memory: Memory;
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
    const reading = mirror.listMemories({
      ...(Number.isFinite(since) && { since: new Date(since) }),
      ...(Number.isFinite(until) && { until: new Date(until) }),
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    const page = await reading.catch((error: unknown) => {
      throw (error as { code?: unknown } | null)?.code === 'invalid_option' ? new ToolError(staleCursor) : error;
    });
    const seen = position === undefined ? -1 : page.memories.findIndex(({ memory }) => memory.id === position?.[1]);
    for (const [index, { memory, missingSince }] of page.memories.entries()) {
      // A mirror reads synchronously. An abort and other calls come between two memories.
      await yieldToEventLoop();
      signal.throwIfAborted();
      const isSeen = position !== undefined && (seen === -1 ? positionOf(memory)[0] > position[0] : index <= seen);
      if (isSeen || missingSince !== null) continue;
      yield { memory, before };
      before = [cursor ?? null, ...positionOf(memory)];
    }
    if (page.cursor === null) return;
    cursor = page.cursor;
    position = undefined;
  }
}
