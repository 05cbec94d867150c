import type { MemoryRecord } from '@memory-read/contract';

/** The account of {@link memories}, in every database next to this file. */
export const account = { userId: 'user_1', name: 'Ada' };

/** Keys of the account. The texts are only for tests, because a database contains their hashes. */
export const apiKeys = {
  active: { keyId: 'key_active', key: 'mrk_for-tests-active', expiresAt: undefined },
  expiring: { keyId: 'key_expiring', key: 'mrk_for-tests-expiring', expiresAt: new Date('2026-06-01T00:00:00.000Z') },
  revoked: { keyId: 'key_revoked', key: 'mrk_for-tests-revoked', expiresAt: undefined },
};

/** Newest first. Literals, not fixtures, because the content of old databases must not change. */
export const memories: MemoryRecord[] = [
  {
    id: 'mem_processing',
    name: 'Just recorded',
    started_at: '2026-03-02T09:00:00.000Z',
    ended_at: '2026-03-02T09:00:30.500Z',
    is_processing: true,
    duration_seconds: 30,
    transcript: null,
    summary: null,
    media: { audio: { object_key: 'mem_processing/audio.wav', content_type: 'audio/wav' } },
  },
  {
    id: 'mem_edge_loneSurrogateText',
    name: 'Größe 🎉',
    started_at: '2026-03-01T10:00:00.000Z',
    ended_at: '2026-03-01T10:05:00.000Z',
    is_processing: false,
    duration_seconds: 300,
    transcript: {
      segments: [
        {
          speaker: 'Speaker 1',
          start_at: '2026-03-01T10:00:01.000Z',
          end_at: '2026-03-01T10:00:03.250Z',
          text: 'high \ud83c, low \udf89, NUL \0, pair 🎉',
        },
      ],
    },
    summary: { quick_summary: 'Half a pair: \ud83c.', key_takeaways: ['One.', ''] },
    media: {
      video: { object_key: 'mem edge/100 %/film+1.webm', content_type: 'video/webm' },
      preview_image: { object_key: 'mem edge/é.png', content_type: 'image/png' },
    },
  },
  {
    id: '../a b%2Fc?d#e',
    name: '',
    started_at: '0000-01-01T00:00:00.000Z',
    ended_at: '0000-01-01T00:00:00.000Z',
    is_processing: false,
    duration_seconds: 0,
    transcript: { segments: [] },
    summary: null,
    media: {},
  },
];
