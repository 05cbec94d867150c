import { exampleMemory } from '../field-words.ts';
import type { ListedMemory, Memory, ResponseBodies } from '../memory.ts';
import type { ExampleObject } from './open-api-document.ts';

const processedMemory = exampleMemory();

const processingMemory: Memory = {
  ...processedMemory,
  id: 'mem_01JZPDE7M2H5T0B9S4A1XGYJ8F',
  name: 'Walk along the canal',
  started_at: '2026-07-08T10:12:00.000Z',
  ended_at: '2026-07-08T10:20:31.000Z',
  is_processing: true,
  duration_seconds: 511,
  audio_url: processedMemory.audio_url?.replace(processedMemory.id, 'mem_01JZPDE7M2H5T0B9S4A1XGYJ8F') ?? null,
  preview_image_url: null,
  transcript: null,
  summary: null,
};

/** Bodies of successful responses, by the component that they are examples of. */
export const examples: { [Component in keyof ResponseBodies]: Record<string, ExampleObject> } = {
  Memory: {
    processed: { summary: 'Processed', value: processedMemory },
    processing: { summary: 'Still processing', value: processingMemory },
  },
  MemoryList: {
    memories: { summary: 'Two memories, newest first', value: [listed(processingMemory), listed(processedMemory)] },
    empty: { summary: 'The account has no memories', value: [] },
  },
};

function listed(memory: Memory): ListedMemory {
  return { ...memory, transcript: null };
}
