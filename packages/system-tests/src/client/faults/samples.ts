import type { ListedMemory } from '@memory-read/client';

/** No error, event or log may hold it. */
export const apiKey = 'mrk_KEYSECRET_0123456789';

/** What makes a signed URL work. */
export const signedQuery = 'expires=1&signature=URLSECRET';

/** Whoever has it needs no key. */
export const signedUrl = `https://media.example.com/a.wav?${signedQuery}`;

/** An error that repeats the key and a signed URL. */
export const repeating = { detail: `Cannot serve Bearer ${apiKey} with ${signedUrl}` };

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
    audio_url: signedUrl,
    video_url: null,
    preview_image_url: null,
    transcript: null,
    summary: { quick_summary: 'We met.', key_takeaways: ['All is well.'] },
  };
  return { ...memory, ...changes };
}
