import { type Mutant, speaking, summing, withField, without } from './mutant.ts';

const fields = ['id', 'name', 'started_at', 'ended_at', 'is_processing', 'user_id', 'duration_seconds'];
const nullable = ['audio_url', 'video_url', 'preview_image_url', 'transcript', 'summary'];

/** Sections 2 and 3: memories, transcripts, summaries, media URLs, states. */
export const resourceMutants: readonly Mutant[] = [
  ...fields.map(
    (field) =>
      ({
        name: `${field} is absent`,
        change: { memory: (memory) => without(memory, field) },
        red: ['2.1'],
      }) satisfies Mutant,
  ),
  ...nullable.map(
    (field) =>
      ({
        name: `${field} is left out where it is null`,
        change: { memory: (memory) => (memory[field] === null ? without(memory, field) : memory) },
        red: ['2.1'],
      }) satisfies Mutant,
  ),
  {
    name: 'one field of one memory is absent',
    red: ['2.1'],
    change: {
      list: (memories) => memories.map((memory) => (memory.id === 'mem_100000' ? without(memory, 'name') : memory)),
    },
  },

  withField('id', 7),
  {
    name: 'one memory is listed twice',
    red: ['2.1 id'],
    change: { list: (memories) => [...memories.slice(0, 1), ...memories] },
  },
  withField('name', null),
  withField('started_at', '2026-03-01 08:00'),
  withField('started_at', 1_772_352_000),
  withField('started_at', '2026-02-30T08:00:00Z'),
  withField('ended_at', 'yesterday'),
  withField('ended_at', null),
  withField('is_processing', 'false'),
  withField('user_id', 12),
  withField('duration_seconds', 60.5),
  withField('duration_seconds', '60'),
  withField('duration_seconds', null),
  withField('audio_url', 'audio.wav'),
  withField('audio_url', ''),
  withField('video_url', { url: 'https://media.example/' }),
  withField('preview_image_url', false),
  {
    ...withField('transcript', 'Shall we?', ['2.1 transcript']),
    change: { memory: (memory, where) => (where === 'list' ? memory : { ...memory, transcript: 'Shall we?' }) },
  },
  withField('summary', 'Two people start.'),

  { name: 'media URLs live for two hours', red: ['2.1.1 lifetime'], change: { lifetime: () => 7200 } },
  {
    name: 'media URLs were signed half an hour before the response',
    red: ['2.1.1 lifetime'],
    change: { lifetime: () => 1800 },
  },
  {
    name: 'the video’s URL lives for a day',
    red: ['2.1.1 lifetime'],
    change: { lifetime: (seconds, field) => (field === 'video_url' ? 86_400 : seconds) },
  },
  { name: 'media are open to everybody', red: ['2.1.1 signed'], change: { opens: () => true } },
  {
    name: 'the signature of media only has to be there',
    red: ['2.1.1 signed'],
    change: { opens: (_isSigned, _path, query) => query.has('signature') },
  },
  ...['audio', 'video', 'preview_image'].map(
    (kind) =>
      ({
        name: `no ${kind} can be opened`,
        change: { opens: (isSigned, path) => isSigned && !path.endsWith(kind) },
        red: [`2.1 ${kind}_url reachable`],
      }) satisfies Mutant,
  ),

  {
    name: 'a transcript has no segments',
    red: ['2.2 segments'],
    change: { memory: (memory) => (memory.transcript === null ? memory : { ...memory, transcript: {} }) },
  },
  { name: 'segments are an object', red: ['2.2 segments'], change: speaking((segments) => ({ ...segments })) },
  { name: 'a segment is a string', red: ['2.2 segments'], change: speaking((segments) => ['Shall we?', ...segments]) },
  {
    name: 'segments are in reverse',
    red: ['2.2 segments order'],
    change: speaking((segments) => segments.toReversed()),
  },
  ...['speaker', 'start_at', 'end_at', 'text'].map((field) => ({
    name: `${field} is absent in one segment`,
    change: speaking(([first = {}, ...rest]) => [without(first, field), ...rest]),
    red: ['2.3'],
  })),
  ...(
    [
      ['speaker', 1],
      ['speaker', 'Ada'],
      ['speaker', 'speaker_1'],
      ['start_at', 1.25],
      ['start_at', '00:00:01'],
      ['start_at', '2026-03-04T08:00:01.123456Z'],
      ['end_at', null],
      ['text', null],
    ] as const
  ).map(([field, value]) => ({
    name: `${field} of a segment is ${JSON.stringify(value)}`,
    change: speaking(([first = {}, ...rest]) => [{ ...first, [field]: value }, ...rest]),
    red: [`2.3 ${field}`],
  })),

  { name: 'quick_summary is absent', red: ['2.4'], change: summing((summary) => without(summary, 'quick_summary')) },
  { name: 'key_takeaways is absent', red: ['2.4'], change: summing((summary) => without(summary, 'key_takeaways')) },
  {
    name: 'quick_summary is null',
    red: ['2.4 quick_summary'],
    change: summing((summary) => ({ ...summary, quick_summary: null })),
  },
  {
    name: 'key_takeaways is a text',
    red: ['2.4 key_takeaways'],
    change: summing((summary) => ({ ...summary, key_takeaways: 'They start.' })),
  },
  {
    name: 'a key takeaway is an object',
    red: ['2.4 key_takeaways'],
    change: summing((summary) => ({ ...summary, key_takeaways: [{}] })),
  },

  {
    name: 'a memory is not found while it is processed',
    red: ['3 Processing'],
    change: {
      answer: (answer) =>
        isProcessing(answer.body) ? { ...answer, status: 404, body: { detail: 'Memory not found' } } : answer,
    },
  },
  {
    name: 'a memory is a 409 while it is processed',
    red: ['3 Processing'],
    change: {
      answer: (answer) =>
        isProcessing(answer.body) ? { ...answer, status: 409, body: { detail: 'Processing' } } : answer,
    },
  },
  {
    name: 'the list has no summaries',
    red: ['3 Processed'],
    change: { memory: (memory, where) => (where === 'list' ? { ...memory, summary: null } : memory) },
  },
];

function isProcessing(body: unknown): boolean {
  return (body as { is_processing?: unknown }).is_processing === true;
}
