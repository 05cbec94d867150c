import type { MemoryRecord } from '@memory-read/contract';
import { countLostDigits, InvalidMemoryRecordError, type MemoryStoreAdmin } from '@memory-read/server';
import { LineError } from './line-error.ts';
import { readJsonLines } from './read-json-lines.ts';

/** What {@link importMemories} stored. */
export interface ImportSummary {
  /** Different memories. */
  memories: number;
  /** Lines that a later one with the same id made void. */
  duplicates: number;
  /** Date-times of these memories that had more than milliseconds to say. */
  shortenedDateTimes: number;
}

/** Where the memories come from and go to. */
export interface ImportOptions {
  store: MemoryStoreAdmin;
  userId: string;
  /** JSON Lines of `MemoryRecord`. */
  chunks: AsyncIterable<Uint8Array>;
  /** Told after each memory how many there were. */
  onMemory?: ((count: number) => void) | undefined;
  /** Told when the last one was read, and all are going to be stored at once. */
  onEnd?: (() => void) | undefined;
}

/**
 * Stores all memories of a JSON Lines file or none. One is held at a time, and of all the others their ids.
 *
 * @throws LineError when a line holds no memory that a store keeps.
 */
export async function importMemories({
  store,
  userId,
  chunks,
  onMemory,
  onEnd,
}: ImportOptions): Promise<ImportSummary> {
  const shortenedById = new Map<string, number>();
  let line = 0;
  let count = 0;

  async function* records(): AsyncGenerator<MemoryRecord> {
    for await (const jsonLine of readJsonLines(chunks)) {
      line = jsonLine.line;
      // The store checks every record; one that comes back here was accepted.
      const record = jsonLine.value as MemoryRecord;
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
    throw error instanceof InvalidMemoryRecordError ? new LineError(line, reasonOf(error)) : error;
  }
  const memories = shortenedById.size;
  const shortenedDateTimes = [...shortenedById.values()].reduce((sum, shortened) => sum + shortened, 0);
  return { memories, duplicates: count - memories, shortenedDateTimes };
}

function reasonOf({ issues }: InvalidMemoryRecordError): string {
  const reasons = issues.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  return issues.length > reasons.length
    ? `${reasons.join(', ')} and ${issues.length - reasons.length} more`
    : reasons.join(', ');
}
