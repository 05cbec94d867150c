import type { ListedMemory, Memory, MemoryRecord } from '@memory-read/contract';
import { memoryFields } from '@memory-read/contract/fields';
import document from '@memory-read/contract/openapi.json' with { type: 'json' };

const { processed } =
  document.paths['/v1/memories/{memory_id}'].get.responses['200'].content['application/json'].examples;
// The examples come from the contract, so that a new field needs no edit here.
const example = processed.value as Memory;
const isStored = (name: string) => /record|processing/.test(memoryFields[name as keyof Memory].from);
const recorded = Object.fromEntries(Object.entries(example).filter(([name]) => isStored(name))) as Omit<
  MemoryRecord,
  'media'
>;

/** Returns a processed memory with the example of each field, and short values where tests name them. */
export function sampleMemory(overrides: Record<string, unknown> = {}): Memory {
  return {
    ...example,
    id: 'mem_1',
    name: 'Stand-up',
    started_at: '2026-08-20T10:00:00.000Z',
    ended_at: '2026-08-20T10:15:00.000Z',
    user_id: 'user_1',
    duration_seconds: 900,
    audio_url: 'https://media.example.com/a.wav?expires=1&signature=URLSECRET',
    preview_image_url: null,
    transcript: {
      segments: [
        {
          speaker: 'Speaker 1',
          start_at: '2026-08-20T10:00:01.250Z',
          end_at: '2026-08-20T10:00:02.000Z',
          text: 'Good morning.',
        },
      ],
    },
    summary: { quick_summary: 'We met.', key_takeaways: ['All is well.'] },
    ...overrides,
  };
}

/** Returns the same memory as an item of a list. */
export function sampleListedMemory(overrides: Record<string, unknown> = {}): ListedMemory {
  return sampleMemory({ transcript: null, ...overrides }) as ListedMemory;
}

/** Returns a processed memory without media, as a record for a store. */
export function sampleRecord(overrides: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    ...recorded,
    id: 'mem_1',
    name: `Memory ${overrides.id ?? 'mem_1'}`,
    started_at: '2026-03-01T09:00:00.000Z',
    ended_at: '2026-03-01T09:30:00.000Z',
    duration_seconds: 1_800,
    transcript: { segments: [] },
    summary: { quick_summary: 'A greeting.', key_takeaways: [] },
    media: {},
    ...overrides,
  };
}

/** Yields records in the order of a list. Every seven neighbours have the same start. */
export function* sampleRecords(count: number): Generator<MemoryRecord> {
  const newest = Date.parse('2026-03-01T00:00:00.000Z');
  for (let index = 0; index < count; index += 1) {
    const started_at = new Date(newest - Math.floor(index / 7) * 60_000).toISOString();
    yield sampleRecord({ id: `mem_${String(count - index).padStart(6, '0')}`, started_at });
  }
}
