import type { Memory } from '@memory-read/client';
import { parseDateTime } from '@memory-read/contract/date-time';
import type { Position } from './memory-source.ts';

/** Position of a memory: newest first, then by id, in whatever order the server lists equal starts. */
export type Place = readonly [startedAt: number, id: string];

/** Returns the place of a memory. A memory without a valid start is the oldest. */
export function placeOf({ started_at, id }: Memory): Place {
  return [parseDateTime(started_at) ?? Number.MIN_SAFE_INTEGER, id];
}

/** Compares two places, newest first. */
export function comparePlaces([start, id]: Place, [otherStart, otherId]: Place): number {
  if (start !== otherStart) return otherStart - start;
  return id === otherId ? 0 : id < otherId ? -1 : 1;
}

/** Returns the place at the end of a position. */
export function readPlace(position: Position | undefined): Place | undefined {
  const [start, id] = position?.slice(-2) ?? [];
  return typeof start === 'number' && typeof id === 'string' ? [start, id] : undefined;
}
