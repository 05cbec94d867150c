import type { MemoryRecord } from '@memory-read/contract';

const record: MemoryRecord = {
  id: 'mem_1',
  name: 'Morning',
  started_at: '2026-03-01T08:00:00Z',
  ended_at: '2026-03-01T08:10:00Z',
  is_processing: false,
  duration_seconds: 600,
  transcript: null,
  summary: null,
  media: {},
};

/** A small record, with what the test cares about. */
export function memoryRecord(overrides: Partial<MemoryRecord> = {}): MemoryRecord {
  return { ...record, ...overrides };
}

/** The same as a line of a JSON Lines file, without its end. */
export function memoryLine(overrides: Partial<MemoryRecord> = {}): string {
  return JSON.stringify(memoryRecord(overrides));
}
