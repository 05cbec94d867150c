import type { MemoryRecord } from '@memory-read/contract';
import { losesDigits } from './date-time.ts';

/** How many date-times of the record say more than a store keeps, which is milliseconds. */
export function countLostDigits({ started_at, ended_at, transcript }: MemoryRecord): number {
  const segments = transcript?.segments ?? [];
  const dateTimes = [started_at, ended_at, ...segments.flatMap(({ start_at, end_at }) => [start_at, end_at])];
  return dateTimes.filter(losesDigits).length;
}
