import type { MemoryRecord } from '@memory-read/contract';
import { createMemories } from '@memory-read/fixtures';

const samples = createMemories({ count: 500, seed: 11, now: '2026-01-01T00:00:00Z' });

/** Yields this number of realistic memories with different ids. */
export function* manyRecords(total: number, prefix: string): Generator<MemoryRecord> {
  for (let index = 0; index < total; index += 1) {
    yield { ...(samples[index % samples.length] as MemoryRecord), id: `${prefix}_${index}` };
  }
}

/** Yields the same memories as lines of a file to import. */
export function* recordLines(total: number, prefix: string): Generator<string> {
  for (const record of manyRecords(total, prefix)) yield `${JSON.stringify(record)}\n`;
}
