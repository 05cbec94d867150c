import type { ListedMemory } from '@memory-read/client';
import { signedUrl } from './signed-url.ts';

/** Two memories as the API lists them; the URLs are signed with what no log may show. */
export const sampleList: readonly ListedMemory[] = ['mem_2', 'mem_1'].map((id) => ({
  id,
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
}));
