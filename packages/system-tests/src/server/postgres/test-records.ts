import type { MemoryRecord } from '@memory-read/contract';

/** A small memory, but for the fields given. */
export function createRecord(fields: Partial<MemoryRecord> & { id: string }): MemoryRecord {
  return {
    name: `Memory ${fields.id}`,
    started_at: '2026-03-01T09:00:00.000Z',
    ended_at: '2026-03-01T09:30:00.000Z',
    is_processing: false,
    duration_seconds: 1_800,
    transcript: { segments: [] },
    summary: { quick_summary: 'A greeting.', key_takeaways: [] },
    media: {},
    ...fields,
  };
}

/** In the order of a list; every seven neighbours share their start. */
export function* createManyRecords(count: number): Generator<MemoryRecord> {
  const newest = Date.parse('2026-03-01T00:00:00.000Z');
  for (let index = 0; index < count; index += 1) {
    const started_at = new Date(newest - Math.floor(index / 7) * 60_000).toISOString();
    yield createRecord({ id: `mem_${String(count - index).padStart(6, '0')}`, started_at });
  }
}
