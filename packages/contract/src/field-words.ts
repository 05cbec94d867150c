import { type errorBodyFields, fieldNames, type MemoryFieldName, type partFields } from './fields.ts';
import type { Memory } from './memory.ts';

/** Description and example of a field in the OpenAPI document. */
export interface FieldWords<Value> {
  readonly description: string;
  readonly example: Value;
}

/** Descriptions of the memory fields. They are separate from the rows, so that no client bundles them. */
export const memoryFieldWords: { readonly [Name in MemoryFieldName]: FieldWords<Memory[Name]> } = {
  id: {
    description: 'Unique id of the memory, used in the path of the detail endpoint. Its format is not specified.',
    example: 'mem_01JZPAYTX4W9V3E8R2C6K5QDNM',
  },
  name: { description: 'Name of the memory that users see.', example: 'Kitchen renovation, second visit' },
  started_at: { description: 'Start of the memory.', example: '2026-07-08T09:30:00.000Z' },
  ended_at: { description: 'End of the memory.', example: '2026-07-08T09:42:25.000Z' },
  is_processing: { description: 'Whether the transcript and the summary are still being processed.', example: false },
  user_id: {
    description: 'Id of the user that owns the memory. Its format is not specified.',
    example: 'user_7f3k2m',
  },
  duration_seconds: { description: 'Length of the memory in seconds.', example: 745 },
  audio_url: {
    description:
      'Signed URL of the audio, valid for 1 hour from the creation of the response; null if there is no audio. Read the memory again for a fresh URL.',
    example: signedUrl('mem_01JZPAYTX4W9V3E8R2C6K5QDNM/audio.wav', 'audio/wav'),
  },
  video_url: {
    description:
      'Signed URL of the video, valid for 1 hour from the creation of the response; null if there is no video. Read the memory again for a fresh URL.',
    example: null,
  },
  preview_image_url: {
    description:
      'Signed URL of the preview image, valid for 1 hour from the creation of the response; null if there is no image. Read the memory again for a fresh URL.',
    example: signedUrl('mem_01JZPAYTX4W9V3E8R2C6K5QDNM/preview.png', 'image/png'),
  },
  transcript: {
    description: 'Transcript of the memory. Null in a list, and possibly during processing.',
    example: {
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
  },
  summary: {
    description: 'Generated summary of the memory. It can be null during processing.',
    example: {
      quick_summary: 'The pipe is moved on Tuesday, before the counter is delivered.',
      key_takeaways: ['The water pipe is in the way of the new counter', 'A plumber is booked for Tuesday'],
    },
  },
};

/** Descriptions of the fields of the objects in a memory. */
export const partFieldWords: {
  readonly [Part in keyof typeof partFields]: Record<keyof (typeof partFields)[Part], string>;
} = {
  Transcript: { segments: 'Segments, sorted by start.' },
  Segment: {
    speaker: 'Label of the speaker, of the form "Speaker 1".',
    start_at: 'Start of the segment, as an absolute time. It can have milliseconds.',
    end_at: 'End of the segment, as an absolute time.',
    text: 'Spoken text of the segment.',
  },
  Summary: {
    quick_summary: 'Summary in one or two sentences.',
    key_takeaways: 'Important points of the memory.',
  },
};

/** Descriptions of the fields of an error body. */
export const errorBodyWords: Record<keyof typeof errorBodyFields, string> = { detail: 'Description of the error.' };

/** Returns a new memory with the example of each field. */
export function exampleMemory(): Memory {
  const examples = fieldNames.map((name) => [name, memoryFieldWords[name].example]);
  return structuredClone(Object.fromEntries(examples)) as Memory;
}

function signedUrl(objectKey: string, contentType: string): string {
  const type = encodeURIComponent(contentType);
  return `https://media.example.com/${objectKey}?expires=1783508400&type=${type}&key=1&signature=c2lnbmF0dXJl`;
}
