import type { ListedMemory } from '@memory-read/client';

/** A memory as a list has it, with some fields changed or added. */
export function sampleMemory(changes: Record<string, unknown> = {}): ListedMemory {
  const memory: ListedMemory = {
    id: 'mem_1',
    name: 'Stand-up',
    started_at: '2026-08-20T10:00:00.000Z',
    ended_at: '2026-08-20T10:15:00.000Z',
    is_processing: false,
    user_id: 'user_1',
    duration_seconds: 900,
    audio_url: 'https://media.example.com/a.wav?expires=1&signature=mrk_signature',
    video_url: null,
    preview_image_url: null,
    transcript: null,
    summary: null,
  };
  return { ...memory, ...changes };
}
