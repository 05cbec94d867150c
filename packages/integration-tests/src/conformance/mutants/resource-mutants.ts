import { answering, breaking, isProcessing, type Mutant, saying, speaking, summing, without } from './mutant.ts';

const fields = ['id', 'name', 'started_at', 'ended_at', 'is_processing', 'user_id', 'duration_seconds'];
const nullable = ['audio_url', 'video_url', 'preview_image_url', 'transcript', 'summary'];

/** Gives a field an invalid value in every memory, in lists and in single responses. */
const wrongValues = {
  id: [7],
  name: [null],
  started_at: ['2026-03-01 08:00', 1_772_352_000, '2026-02-30T08:00:00Z'],
  ended_at: ['yesterday', null],
  is_processing: ['false'],
  user_id: [12],
  duration_seconds: [60.5, '60', null],
  audio_url: ['audio.wav', ''],
  video_url: [{ url: 'https://media.example/' }],
  preview_image_url: [false],
  summary: ['Two people start.'],
};

/** Gives a field of the first segment of each transcript an invalid value. */
const wrongValuesOfSegment = {
  speaker: [1, 'Ada', 'speaker_1'],
  start_at: [1.25, '00:00:01', '2026-03-04T08:00:01.123456Z'],
  end_at: [null],
  text: [null],
};

/** Sections 2 and 3: memories, transcripts, summaries, media URLs, states. */
export const resourceMutants: readonly Mutant[] = [
  ...fields.flatMap((field) =>
    breaking(['2.1'], { [`${field} is absent`]: { memory: (memory) => without(memory, field) } }),
  ),
  ...nullable.flatMap((field) =>
    breaking(['2.1'], {
      [`${field} is left out where it is null`]: {
        memory: (memory) => (memory[field] === null ? without(memory, field) : memory),
      },
    }),
  ),
  ...breaking(['2.1'], {
    'one field of one memory is absent': {
      list: (memories) => memories.map((memory) => (memory.id === 'mem_100000' ? without(memory, 'name') : memory)),
    },
  }),
  ...pairsOf(wrongValues).flatMap(([field, value]) =>
    breaking([`2.1 ${field}`], {
      [`${field} is ${JSON.stringify(value)}`]: { memory: (memory) => ({ ...memory, [field]: value }) },
    }),
  ),
  ...breaking(['2.1 id'], {
    'one memory is listed twice': { list: (memories) => [...memories.slice(0, 1), ...memories] },
  }),
  ...breaking(['2.1 transcript'], {
    'transcript is "Shall we?"': {
      memory: (memory, where) => (where === 'list' ? memory : { ...memory, transcript: 'Shall we?' }),
    },
  }),

  ...breaking(['2.1.1 lifetime'], {
    'media URLs live for two hours': { lifetime: () => 7200 },
    'media URLs were signed half an hour before the response': { lifetime: () => 1800 },
    'the video’s URL lives for a day': {
      lifetime: (seconds, field) => (field === 'video_url' ? 86_400 : seconds),
    },
  }),
  ...breaking(['2.1.1 signed'], {
    'media are open to everybody': { opens: () => true },
    'the signature of media only has to be there': { opens: (_isSigned, _path, query) => query.has('signature') },
  }),
  ...['audio', 'video', 'preview_image'].flatMap((kind) =>
    breaking([`2.1 ${kind}_url reachable`], {
      [`no ${kind} can be opened`]: { opens: (isSigned, path) => isSigned && !path.endsWith(kind) },
    }),
  ),

  ...breaking(['2.2 segments'], {
    'a transcript has no segments': {
      memory: (memory) => (memory.transcript === null ? memory : { ...memory, transcript: {} }),
    },
    'segments are an object': speaking((segments) => ({ ...segments })),
    'a segment is a string': speaking((segments) => ['Shall we?', ...segments]),
  }),
  ...breaking(['2.2 segments order'], { 'segments are in reverse': speaking((segments) => segments.toReversed()) }),
  ...['speaker', 'start_at', 'end_at', 'text'].flatMap((field) =>
    breaking(['2.3'], {
      [`${field} is absent in one segment`]: speaking(([first = {}, ...rest]) => [without(first, field), ...rest]),
    }),
  ),
  ...pairsOf(wrongValuesOfSegment).flatMap(([field, value]) =>
    breaking([`2.3 ${field}`], {
      [`${field} of a segment is ${JSON.stringify(value)}`]: speaking(([first = {}, ...rest]) => [
        { ...first, [field]: value },
        ...rest,
      ]),
    }),
  ),

  ...breaking(['2.4'], {
    'quick_summary is absent': summing((summary) => without(summary, 'quick_summary')),
    'key_takeaways is absent': summing((summary) => without(summary, 'key_takeaways')),
  }),
  ...breaking(['2.4 quick_summary'], {
    'quick_summary is null': summing((summary) => ({ ...summary, quick_summary: null })),
  }),
  ...breaking(['2.4 key_takeaways'], {
    'key_takeaways is a text': summing((summary) => ({ ...summary, key_takeaways: 'They start.' })),
    'a key takeaway is an object': summing((summary) => ({ ...summary, key_takeaways: [{}] })),
  }),

  ...breaking(['3 Processing'], {
    'a memory is not found while it is processed': answering(
      ({ body }) => isProcessing(body),
      saying(404, 'Memory not found'),
    ),
    'a memory is a 409 while it is processed': answering(({ body }) => isProcessing(body), saying(409, 'Processing')),
  }),
  ...breaking(['3 Processed'], {
    'the list has no summaries': {
      memory: (memory, where) => (where === 'list' ? { ...memory, summary: null } : memory),
    },
  }),
];

function pairsOf(values: Record<string, readonly unknown[]>): [field: string, value: unknown][] {
  return Object.entries(values).flatMap(([field, all]) => all.map((value): [string, unknown] => [field, value]));
}
