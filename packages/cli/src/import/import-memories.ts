import type { MemoryRecord } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { countLostDigits, type InvalidMemoryRecordError, type MemoryStoreAdmin } from '@memory-read/server';
import { LineError, readJsonLines } from './read-json-lines.ts';

/** Counts of an import. */
export interface ImportSummary {
  memories: number;
  /** Number of lines that a later line with the same id replaced. */
  duplicates: number;
  /** Number of date-times that lost digits beyond milliseconds. */
  shortenedDateTimes: number;
}

export interface ImportOptions {
  store: Pick<MemoryStoreAdmin, 'putAccount' | 'putMemories'>;
  userId: string;
  /** JSON Lines of `MemoryRecord`, as bytes. */
  chunks: AsyncIterable<Uint8Array>;
  /** Beginning of every object key. Without it, records may name any object. */
  objectPrefix?: string | undefined;
  /** Called after each memory with the number of memories so far. */
  onMemory?: ((count: number) => void) | undefined;
  /** Called after the last memory was read, before all are committed. */
  onEnd?: (() => void) | undefined;
}

/**
 * Stores all memories of a JSON Lines file or none. It holds one memory at a time in memory, and the ids of all.
 *
 * @throws LineError if a line has no valid memory, or an object key without the prefix.
 */
export async function importMemories({
  store,
  userId,
  chunks,
  objectPrefix = '',
  onMemory,
  onEnd,
}: ImportOptions): Promise<ImportSummary> {
  const shortenedById = new Map<string, number>();
  let line = 0;
  let count = 0;

  async function* records(): AsyncGenerator<MemoryRecord> {
    for await (const jsonLine of readJsonLines(chunks)) {
      line = jsonLine.line;
      // The store validates each record before it requests the next one.
      const record = jsonLine.value as MemoryRecord;
      assertPrefix(record, objectPrefix, line);
      yield record;
      shortenedById.set(record.id, countLostDigits(record));
      count += 1;
      onMemory?.(count);
    }
    onEnd?.();
  }

  await store.putAccount({ userId });
  try {
    await store.putMemories(userId, records());
  } catch (error) {
    throw Object(error).code === 'invalid_record'
      ? new LineError(line, reasonOf(error as InvalidMemoryRecordError))
      : error;
  }
  const memories = shortenedById.size;
  const shortenedDateTimes = [...shortenedById.values()].reduce((sum, shortened) => sum + shortened, 0);
  return { memories, duplicates: count - memories, shortenedDateTimes };
}

/**
 * The record is not validated yet, so its media can be any value. The store rejects a value that is not an object key.
 */
function assertPrefix(record: unknown, prefix: string, line: number): void {
  const media = (record as { media?: Record<string, { object_key?: unknown } | null> | null } | null)?.media;
  for (const kind of mediaKinds) {
    const key = media?.[kind]?.object_key;
    if (typeof key !== 'string' || key.startsWith(prefix)) continue;
    throw new LineError(line, `media.${kind}.object_key does not begin with ${JSON.stringify(prefix)}`);
  }
}

function reasonOf({ issues }: InvalidMemoryRecordError): string {
  const reasons = issues.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return issues.length > reasons.length
    ? `${reasons.join(', ')} and ${issues.length - reasons.length} more`
    : reasons.join(', ');
}
