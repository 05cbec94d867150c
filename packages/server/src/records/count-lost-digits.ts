import type { MemoryRecord } from '@memory-read/contract';
import { losesDigits } from '@memory-read/contract/date-time';
import { assertParts } from '../assert-options.ts';
import { recordFields, rows } from './record-fields.ts';

const dateTimeFields = recordFields.filter((name) => rows[name].type === 'date-time');

/**
 * Returns the number of date-times in a record, or in a result of processing, that are more precise than milliseconds.
 */
export function countLostDigits({ started_at, ended_at, transcript }: Dated): number;
export function countLostDigits(record: Partial<MemoryRecord>): number {
  assertParts('count lost digits', { record }, { record: 'object' }, 'Pass a record');
  const segments = record.transcript?.segments ?? [];
  const dateTimes: unknown[] = [
    ...dateTimeFields.map((name) => record[name]),
    ...segments.flatMap(({ start_at, end_at }) => [start_at, end_at]),
  ];
  return dateTimes.filter((dateTime) => typeof dateTime === 'string' && losesDigits(dateTime)).length;
}

type Dated = Partial<Pick<MemoryRecord, 'started_at' | 'ended_at'>> & Pick<MemoryRecord, 'transcript'>;
