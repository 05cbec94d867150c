import type { MemoryRecord } from '@memory-read/contract';
import type { FieldType } from '@memory-read/contract/fields';
import { addedFields, rows } from '../records/record-fields.ts';
import { toStoredMemory } from '../records/to-stored-memory.ts';

/** A processed memory without media, but for the fields given. */
export function createRecord(fields: Partial<MemoryRecord> & { id: string }): MemoryRecord {
  return {
    name: `Memory ${fields.id}`,
    started_at: '2026-03-01T09:00:00.000Z',
    ended_at: '2026-03-01T09:30:00.000Z',
    is_processing: false,
    duration_seconds: 1800,
    transcript: createTranscript('Good morning.'),
    summary: { quick_summary: 'A greeting.', key_takeaways: ['It was morning.'] },
    media: {},
    ...Object.fromEntries(addedFields.map((name) => [name, samples[rows[name].type]])),
    ...fields,
  };
}

/** Values of fields that were added to the contract, so that every store shows that it keeps them. */
const samples: { [Type in FieldType]?: unknown } = {
  string: 'Text',
  'date-time': '2026-03-01T09:00:00.000Z',
  uri: 'https://example.com/',
  integer: 7,
  boolean: true,
  'string[]': ['One', 'Two'],
};

export function createTranscript(text: string): NonNullable<MemoryRecord['transcript']> {
  const times = { start_at: '2026-03-01T09:00:01.250Z', end_at: '2026-03-01T09:00:03.000Z' };
  return { segments: [{ speaker: 'Speaker 1', ...times, text }] };
}

/** More than one page of any store, in order; every seven neighbours share their start, also across pages. */
export function createManyRecords(count = 2_500): MemoryRecord[] {
  const newest = Date.parse('2026-03-01T00:00:00.000Z');
  return Array.from({ length: count }, (_, index) =>
    createRecord({
      id: `mem_${String(count - index).padStart(6, '0')}`,
      started_at: new Date(newest - Math.floor(index / 7) * 60_000).toISOString(),
    }),
  );
}

/** What `getMemory` has to give for the record. */
export function expectedDetail(userId: string, record: MemoryRecord): ReturnType<typeof readable> {
  return readable(toStoredMemory(userId, record));
}

/** What `listMemories` has to give for the record. */
export function expectedListed(userId: string, record: MemoryRecord): ReturnType<typeof readable> {
  return expectedDetail(userId, { ...record, transcript: null });
}

/** A row with its JSON text parsed: what it says is compared, not how it is written. */
export function readable(memory: ReturnType<typeof toStoredMemory>) {
  const { summaryJson, transcriptJson, ...fields } = memory;
  return { ...fields, summary: parse(summaryJson), transcript: parse(transcriptJson) };
}

function parse(text: string | null | undefined): unknown {
  return text === null || text === undefined ? null : JSON.parse(text);
}
