import type { MemoryRecord } from '@memory-read/contract';
import type { FieldType } from '@memory-read/contract/fields';
import { addedFields, rows } from '../records/record-fields.ts';
import { toStoredMemory } from '../records/to-stored-memory.ts';

/** Returns a processed memory without media, with the given fields. */
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

/** Values of fields that were added to the contract, which check that every store holds them. */
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

/** Returns more than one page of records, in order. Every seven neighbours have the same start, even across pages. */
export function createManyRecords(count = 2_500): MemoryRecord[] {
  const newest = Date.parse('2026-03-01T00:00:00.000Z');
  return Array.from({ length: count }, (_, index) =>
    createRecord({
      id: `mem_${String(count - index).padStart(6, '0')}`,
      started_at: new Date(newest - Math.floor(index / 7) * 60_000).toISOString(),
    }),
  );
}

/** Returns the expected result of `getMemory` for the record. */
export function expectedDetail(userId: string, record: MemoryRecord): ReturnType<typeof readable> {
  return readable(toStoredMemory(userId, record));
}

/** Returns the expected result of `listMemories` for the record. */
export function expectedListed(userId: string, record: MemoryRecord): ReturnType<typeof readable> {
  return expectedDetail(userId, { ...record, transcript: null });
}

/** Returns a row with its JSON text parsed, so that its values are compared and not its formatting. */
export function readable(memory: ReturnType<typeof toStoredMemory>) {
  const { summaryJson, transcriptJson, ...fields } = memory;
  return { ...fields, summary: parse(summaryJson), transcript: parse(transcriptJson) };
}

function parse(text: string | Uint8Array | null | undefined): unknown {
  if (text === null || text === undefined) return null;
  return JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text));
}
