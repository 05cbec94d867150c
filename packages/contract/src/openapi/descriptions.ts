import type { ErrorBody } from '../schemas/error-body.ts';
import type { ListedMemory, Memory } from '../schemas/memory.ts';
import type { Segment } from '../schemas/segment.ts';
import type { Summary } from '../schemas/summary.ts';
import type { Transcript } from '../schemas/transcript.ts';

/** A component's own words, and those of each of its fields. */
interface ComponentDescription<Value> {
  description: string;
  fields: Record<keyof Value, string>;
}

const memoryFields: Record<keyof Memory, string> = {
  id: 'Unique id of the memory, to be put into the path of the detail endpoint. Opaque: no format is promised.',
  name: 'Name that the user sees.',
  started_at: 'When the memory started.',
  ended_at: 'When the memory ended.',
  is_processing: 'True while transcript and summary are still being made.',
  user_id: 'Id of the user that owns the memory. Opaque: no format is promised.',
  duration_seconds: 'Length of the memory in seconds.',
  audio_url:
    'Signed URL of the audio, which works for 1 hour from the creation of the response; null when there is no audio. Read the memory again for a fresh one.',
  video_url:
    'Signed URL of the video, which works for 1 hour from the creation of the response; null when there is no video. Read the memory again for a fresh one.',
  preview_image_url:
    'Signed URL of the preview image, which works for 1 hour from the creation of the response; null when there is no image. Read the memory again for a fresh one.',
  transcript: 'What was said. Can be null while the memory is processing.',
  summary: 'The generated summary. Can be null while the memory is processing.',
};

/** What each object of the API is, field by field; kept apart from the schemas, so that no client carries the texts. */
export const objectDescriptions: {
  Memory: ComponentDescription<Memory>;
  ListedMemory: ComponentDescription<ListedMemory>;
  Transcript: ComponentDescription<Transcript>;
  Segment: ComponentDescription<Segment>;
  Summary: ComponentDescription<Summary>;
  ErrorBody: ComponentDescription<ErrorBody>;
} = {
  Memory: {
    description: 'A recorded moment: its times, its media and, once it is processed, its transcript and summary.',
    fields: memoryFields,
  },
  ListedMemory: {
    description: 'A memory as the list shows it: every field of the memory, the transcript always null.',
    fields: { ...memoryFields, transcript: 'Always null in a list. Read the memory itself for its transcript.' },
  },
  Transcript: {
    description: 'What was said in a memory, by whom and when; null where there is none yet.',
    fields: { segments: 'The segments in order of their start.' },
  },
  Segment: {
    description: 'One stretch of speech by one speaker.',
    fields: {
      speaker: 'Label of the speaker, of the form "Speaker 1".',
      start_at: 'When the segment starts, as an absolute time that may carry milliseconds.',
      end_at: 'When the segment ends, as an absolute time.',
      text: 'What was said in the segment.',
    },
  },
  Summary: {
    description: 'The generated summary of a memory; null where there is none yet.',
    fields: {
      quick_summary: 'The memory in a sentence or two.',
      key_takeaways: 'The important points of the memory.',
    },
  },
  ErrorBody: {
    description: 'The body of every error.',
    fields: { detail: 'What went wrong.' },
  },
};

/** What the list of memories is. */
export const memoryListDescription = 'All memories of the account, ordered by `started_at`, newest first.';
