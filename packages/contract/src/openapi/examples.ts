import type { ListedMemory, Memory } from '../schemas/memory.ts';
import type { ExampleObject } from './open-api-document.ts';

const processedMemory: Memory = {
  id: 'mem_01JZPAYTX4W9V3E8R2C6K5QDNM',
  name: 'Kitchen renovation, second visit',
  started_at: '2026-07-08T09:30:00.000Z',
  ended_at: '2026-07-08T09:42:25.000Z',
  is_processing: false,
  user_id: 'user_7f3k2m',
  duration_seconds: 745,
  audio_url: signedUrl('mem_01JZPAYTX4W9V3E8R2C6K5QDNM/audio.wav', 'audio/wav'),
  video_url: null,
  preview_image_url: signedUrl('mem_01JZPAYTX4W9V3E8R2C6K5QDNM/preview.png', 'image/png'),
  transcript: {
    segments: [
      {
        speaker: 'Speaker 1',
        start_at: '2026-07-08T09:30:02.140Z',
        end_at: '2026-07-08T09:30:06.900Z',
        text: 'The water pipe has to move before the new counter arrives.',
      },
      {
        speaker: 'Speaker 2',
        start_at: '2026-07-08T09:30:07.250Z',
        end_at: '2026-07-08T09:30:10.020Z',
        text: 'Then I book the plumber for Tuesday.',
      },
    ],
  },
  summary: {
    quick_summary: 'The pipe is moved on Tuesday, before the counter is delivered.',
    key_takeaways: ['The water pipe is in the way of the new counter', 'A plumber is booked for Tuesday'],
  },
};

const processingMemory: Memory = {
  id: 'mem_01JZPDE7M2H5T0B9S4A1XGYJ8F',
  name: 'Walk along the canal',
  started_at: '2026-07-08T10:12:00.000Z',
  ended_at: '2026-07-08T10:20:31.000Z',
  is_processing: true,
  user_id: 'user_7f3k2m',
  duration_seconds: 511,
  audio_url: signedUrl('mem_01JZPDE7M2H5T0B9S4A1XGYJ8F/audio.wav', 'audio/wav'),
  video_url: null,
  preview_image_url: null,
  transcript: null,
  summary: null,
};

const memoryExamples = {
  processed: { summary: 'Processed', value: processedMemory },
  processing: { summary: 'Still processing', value: processingMemory },
} satisfies Record<string, ExampleObject & { value: Memory }>;

const memoryListExamples = {
  memories: { summary: 'Two memories, newest first', value: [listed(processingMemory), listed(processedMemory)] },
  empty: { summary: 'The account has no memories', value: [] },
} satisfies Record<string, ExampleObject & { value: ListedMemory[] }>;

/** Bodies of successful responses, by the component that they are examples of. */
export const examples: Record<string, Record<string, ExampleObject>> = {
  Memory: memoryExamples,
  MemoryList: memoryListExamples,
};

function listed(memory: Memory): ListedMemory {
  return { ...memory, transcript: null };
}

function signedUrl(objectKey: string, contentType: string): string {
  const type = encodeURIComponent(contentType);
  return `https://media.example.com/${objectKey}?expires=1783508400&type=${type}&key=1&signature=c2lnbmF0dXJl`;
}
