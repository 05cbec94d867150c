import type { MemoryRecord } from '@memory-read/contract';
import { smallRecords } from './small-records.ts';

/** A memory whose transcript has this many segments, each of some 150 bytes. */
export function longRecord(segments: number): MemoryRecord {
  const [record] = smallRecords(1);
  if (record === undefined) throw new Error('There is no record to lengthen.');
  const start = Date.parse(record.started_at);
  return {
    ...record,
    transcript: {
      segments: Array.from({ length: segments }, (_, index) => ({
        speaker: `Speaker ${(index % 3) + 1}`,
        start_at: new Date(start + index * 2_000).toISOString(),
        end_at: new Date(start + index * 2_000 + 1_900).toISOString(),
        text: `This is what was said then, for the ${index}th time.`,
      })),
    },
  };
}
