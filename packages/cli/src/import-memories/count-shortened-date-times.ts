import type { MemoryRecord } from '@memory-read/contract';

/** How many date-times of the memory lose digits, because milliseconds are the finest that is stored. */
export function countShortenedDateTimes({ started_at, ended_at, transcript }: MemoryRecord): number {
  const spoken = transcript?.segments.flatMap(({ start_at, end_at }) => [start_at, end_at]) ?? [];
  return [started_at, ended_at, ...spoken].filter((dateTime) => /\.\d{3}\d*[1-9]/.test(dateTime)).length;
}
