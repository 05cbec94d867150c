import type { MemoryRecord } from '@memory-read/contract';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';

const record = {
  name: 'Morning',
  started_at: '2026-03-01T08:00:00Z',
  ended_at: '2026-03-01T08:10:00Z',
  duration_seconds: 600,
  transcript: null,
  summary: null,
};

/** Returns a small record with the given fields. */
export function memoryRecord(overrides: Partial<MemoryRecord> = {}): MemoryRecord {
  return sampleRecord({ ...record, ...overrides });
}

/** Returns a record as a line of JSON Lines, without its line break. */
export function memoryLine(overrides: Partial<MemoryRecord> = {}): string {
  return JSON.stringify(memoryRecord(overrides));
}
