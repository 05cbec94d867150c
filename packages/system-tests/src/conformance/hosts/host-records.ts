import type { MemoryRecord } from '@memory-read/contract';
import { createMemories } from '@memory-read/fixtures';

/** The keys of what every host serves: the same everywhere, because no host can tell a test what it made up. */
export const hostKeys = {
  apiKey: 'mrk_of_ada_who_has_memories',
  otherAccountApiKey: 'mrk_of_grace_who_has_others',
  emptyAccountApiKey: 'mrk_of_nobody_who_has_none',
  inactiveApiKey: 'mrk_of_ada_that_was_revoked',
};

const media = {
  audio: { object_key: 'a b/audio.wav', content_type: 'audio/wav' },
  video: { object_key: 'video.webm', content_type: 'video/webm' },
  preview_image: { object_key: 'preview.png', content_type: 'image/png' },
};

/** Memories of every kind: one in processing, one whose id has to be escaped, every other one with media. */
export function hostRecords(): MemoryRecord[] {
  return createMemories({ count: 24, seed: 7, now: '2026-01-01T00:00:00Z' }).map((record, index) => ({
    ...record,
    id: index === 3 ? 'a/b %2f ä' : record.id,
    is_processing: index === 0,
    media: index % 2 === 0 ? {} : media,
  }));
}
