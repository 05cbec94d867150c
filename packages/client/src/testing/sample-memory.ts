import type { ListedMemory, Memory } from '../index.ts';

export function sampleListedMemory(changes: Record<string, unknown> = {}): ListedMemory {
  const memory: ListedMemory = {
    id: 'mem_1',
    name: 'Stand-up',
    started_at: '2026-08-20T10:00:00.000Z',
    ended_at: '2026-08-20T10:15:00.000Z',
    is_processing: false,
    user_id: 'user_1',
    duration_seconds: 900,
    audio_url: 'https://media.example.com/a.wav?expires=1&signature=URLSECRET',
    video_url: null,
    preview_image_url: null,
    transcript: null,
    summary: { quick_summary: 'We met.', key_takeaways: ['All is well.'] },
  };
  return { ...memory, ...changes };
}

export function sampleMemory(changes: Record<string, unknown> = {}): Memory {
  const segment = {
    speaker: 'Speaker 1',
    start_at: '2026-08-20T10:00:01.250Z',
    end_at: '2026-08-20T10:00:02.000Z',
    text: 'Good morning.',
  };
  return { ...sampleListedMemory(), transcript: { segments: [segment] }, ...changes };
}
