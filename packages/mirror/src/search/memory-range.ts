import type { TimeRange } from '@memory-read/client/search';
import { parseDateTime } from '@memory-read/contract/date-time';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { type KeyRange, keysOf, MAXIMUM_KEY, memoryKeyOf, unitKeysOf } from './index-keys.ts';
import { lastSlotOf, slotOf, spilledSlots } from './index-position.ts';
import { unitReader } from './read-unit.ts';

/** Memories of a range, by their keys in the index. */
export interface MemoryRange {
  /** Keys of units that the memories of the range can have. */
  units: KeyRange;
  /** Keys of memories that the range can have. */
  memories: KeyRange;
  /** Keys of memories that are in the range for certain. Others start in its first or last second. */
  inner: KeyRange;
  /** Returns whether the exact start of a memory is in the range. */
  has: (memoryKey: bigint) => boolean;
}

/** Returns the memories that start in a range. A range is first applied to slots, then to the exact start. */
export function memoriesIn(database: MirrorDatabase, { since, until }: TimeRange): MemoryRange {
  const spilled = spilledSlots(database);
  const first = Number.isFinite(since) ? keysOf(slotOf(since)).first : 0n;
  const last = Number.isFinite(until) ? keysOf(lastSlotOf(database, until)).last : MAXIMUM_KEY;
  const innerFirst = Number.isFinite(since) ? keysOf(slotOf(since) + spilled).last + 1n : 0n;
  const innerLast = Number.isFinite(until) ? keysOf(slotOf(until)).first - 1n : MAXIMUM_KEY;
  const readUnit = unitReader(database);
  const startOf = (memoryKey: bigint) => parseDateTime(String(readUnit(unitKeysOf(memoryKey).last)?.segments)) ?? 0;
  const inner = { first: memoryKeyOf(innerFirst), last: memoryKeyOf(innerLast) };
  const isInner = (key: bigint) => key >= inner.first && key <= inner.last;
  return {
    units: { first, last },
    memories: { first: memoryKeyOf(first), last: memoryKeyOf(last) },
    inner,
    has: (key) => {
      if (isInner(key)) return true;
      const start = startOf(key);
      return start >= since && start < until;
    },
  };
}
