import type { Memory } from '@memory-read/client';
import { parseDateTime } from '@memory-read/contract/date-time';
import type { Position } from './memory-source.ts';

/** Position of a memory in the list: newest first, then by id, in whatever order the server lists equal starts. */
export type ListPosition = readonly [startedAt: number, id: string];

/** Returns the position of a memory. A memory without a valid start is the oldest. */
export function positionOf({ started_at, id }: Memory): ListPosition {
  return [parseDateTime(started_at) ?? Number.MIN_SAFE_INTEGER, id];
}

/** Compares two positions, newest first. */
export function comparePositions([start, id]: ListPosition, [otherStart, otherId]: ListPosition): number {
  if (start !== otherStart) return otherStart - start;
  return id === otherId ? 0 : id < otherId ? -1 : 1;
}

/** Returns the list position at the end of a position of a source. */
export function readListPosition(position: Position | undefined): ListPosition | undefined {
  const [start, id] = position?.slice(-2) ?? [];
  return typeof start === 'number' && typeof id === 'string' ? [start, id] : undefined;
}
