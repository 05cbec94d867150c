import { type errorBodyFields, fieldNames, type MemoryFieldName, type partFields } from './fields.ts';
import type { Memory } from './memory.ts';

/** What a field is, for readers of the OpenAPI document, and an example of it. */
export interface FieldWords<Value> {
  readonly description: string;
  readonly example: Value;
}

/** The words of each field of a memory. Kept apart from the rows, so that no client carries them. */
export const memoryFieldWords: { readonly [Name in MemoryFieldName]: FieldWords<Memory[Name]> } = {
  id: {
    description:
      'Unique id of the memory, to be put into the path of the detail endpoint. Opaque: no format is promised.',
    example: 'mem_01JZPAYTX4W9V3E8R2C6K5QDNM',
  },
  name: { description: 'Name that the user sees.', example: 'Kitchen renovation, second visit' },
  started_at: { description: 'When the memory started.', example: '2026-07-08T09:30:00.000Z' },
  ended_at: { description: 'When the memory ended.', example: '2026-07-08T09:42:25.000Z' },
  is_processing: { description: 'True while transcript and summary are still being made.', example: false },
  user_id: {
    description: 'Id of the user that owns the memory. Opaque: no format is promised.',
    example: 'user_7f3k2m',
  },
  duration_seconds: { description: 'Length of the memory in seconds.', example: 745 },
  audio_url: {
    description:
      'Signed URL of the audio, which works for 1 hour from the creation of the response; null when there is no audio. Read the memory again for a fresh one.',
    example: signedUrl('mem_01JZPAYTX4W9V3E8R2C6K5QDNM/audio.wav', 'audio/wav'),
  },
  video_url: {
    description:
      'Signed URL of the video, which works for 1 hour from the creation of the response; null when there is no video. Read the memory again for a fresh one.',
    example: null,
  },
  preview_image_url: {
    description:
      'Signed URL of the preview image, which works for 1 hour from the creation of the response; null when there is no image. Read the memory again for a fresh one.',
    example: signedUrl('mem_01JZPAYTX4W9V3E8R2C6K5QDNM/preview.png', 'image/png'),
  },
  transcript: {
    description: 'What was said. Can be null while the memory is processing.',
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
    description: 'The generated summary. Can be null while the memory is processing.',
    example: {
      quick_summary: 'The pipe is moved on Tuesday, before the counter is delivered.',
      key_takeaways: ['The water pipe is in the way of the new counter', 'A plumber is booked for Tuesday'],
    },
  },
};

/** What each field of the objects inside a memory is. */
export const partFieldWords: {
  readonly [Part in keyof typeof partFields]: Record<keyof (typeof partFields)[Part], string>;
} = {
  Transcript: { segments: 'The segments in order of their start.' },
  Segment: {
    speaker: 'Label of the speaker, of the form "Speaker 1".',
    start_at: 'When the segment starts, as an absolute time that may carry milliseconds.',
    end_at: 'When the segment ends, as an absolute time.',
    text: 'What was said in the segment.',
  },
  Summary: {
    quick_summary: 'The memory in a sentence or two.',
    key_takeaways: 'The important points of the memory.',
  },
};

/** What each field of the body of an error is. */
export const errorBodyWords: Record<keyof typeof errorBodyFields, string> = { detail: 'What went wrong.' };

/** Returns a new memory that holds the example of each field. */
export function exampleMemory(): Memory {
  const examples = fieldNames.map((name) => [name, memoryFieldWords[name].example]);
  return structuredClone(Object.fromEntries(examples)) as Memory;
}

function signedUrl(objectKey: string, contentType: string): string {
  const type = encodeURIComponent(contentType);
  return `https://media.example.com/${objectKey}?expires=1783508400&type=${type}&key=1&signature=c2lnbmF0dXJl`;
}
