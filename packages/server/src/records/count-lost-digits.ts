import type { MemoryRecord } from '@memory-read/contract';
import { losesDigits } from './date-time.ts';

/** How many date-times of a record, or of what ends its processing, say more than a store keeps, which is milliseconds. */
export function countLostDigits({ started_at = '', ended_at = '', transcript }: Dated): number {
  const segments = transcript?.segments ?? [];
  const dateTimes = [started_at, ended_at, ...segments.flatMap(({ start_at, end_at }) => [start_at, end_at])];
  return dateTimes.filter(losesDigits).length;
}

type Dated = Partial<Pick<MemoryRecord, 'started_at' | 'ended_at'>> & Pick<MemoryRecord, 'transcript'>;
