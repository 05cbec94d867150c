/** A memory as in section 2. */
export type RawMemory = Record<string, unknown>;

/** The accounts with their memories and media: all data of the server. */
export interface RawAccount {
  userId: string;
  key: string;
  isActive: boolean;
  memories: readonly RawMemory[];
}

const transcript = {
  segments: [
    {
      speaker: 'Speaker 1',
      start_at: '2026-03-04T08:00:01.250Z',
      end_at: '2026-03-04T08:00:02.000Z',
      text: 'Shall we?',
    },
    { speaker: 'Speaker 2', start_at: '2026-03-04T08:00:02.000Z', end_at: '2026-03-04T08:00:03.500Z', text: 'Yes.' },
    { speaker: 'Speaker 1', start_at: '2026-03-04T08:00:03.500Z', end_at: '2026-03-04T08:00:04.000Z', text: 'Good.' },
  ],
};
const summary = { quick_summary: 'Two people start.', key_takeaways: ['They start.'] };

function memory(id: string, day: number, more: RawMemory = {}): RawMemory {
  return {
    id,
    name: `Day ${day}`,
    started_at: `2026-03-0${day}T08:00:00.000Z`,
    ended_at: `2026-03-0${day}T08:01:00.000Z`,
    is_processing: false,
    duration_seconds: 60,
    audio_url: null,
    video_url: null,
    preview_image_url: null,
    transcript,
    summary,
    ...more,
  };
}

// Each value names a file. Responses contain a signed URL in its place.
const media = { audio_url: 'audio', video_url: 'video', preview_image_url: 'preview_image' };

const ofAda = [
  memory('mem_100005', 5, { is_processing: true, transcript: null, summary: null }),
  memory('mem_100004', 4, media),
  memory('mem 3/ü?', 3),
  memory('mem_100002', 2, { transcript: null, summary: null }),
  memory('mem_100001', 2, { audio_url: 'audio' }),
  memory('mem_100000', 1),
];
const ofGrace = [memory('mem_200002', 7), memory('mem_200001', 6)];

/** The accounts by their keys, which a run can be given. */
export const accounts = {
  ada: { userId: 'user_ada', key: 'key-of-ada-0123456789', isActive: true, memories: ofAda },
  grace: { userId: 'user_grace', key: 'key-of-grace-0123456789', isActive: true, memories: ofGrace },
  nobody: { userId: 'user_nobody', key: 'key-of-nobody-0123456789', isActive: true, memories: [] },
  gone: { userId: 'user_gone', key: 'key-of-gone-0123456789', isActive: false, memories: [] },
} satisfies Record<string, RawAccount>;

/** The keys that a run over the raw server can be given. */
export const runKeys = {
  apiKey: accounts.ada.key,
  otherAccountApiKey: accounts.grace.key,
  inactiveApiKey: accounts.gone.key,
  emptyAccountApiKey: accounts.nobody.key,
};
