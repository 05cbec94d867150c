import type { MediaKind, MemoryRecord } from '@memory-read/contract';
import type { StoredMemory } from '@memory-read/server';

/** The record that a row was made of, as a copy of its own. */
export function toMemoryRecord(stored: StoredMemory): MemoryRecord {
  const { user_id: _, media, summaryJson, transcriptJson, ...fields } = stored;
  return {
    ...fields,
    transcript: JSON.parse(transcriptJson ?? 'null'),
    summary: JSON.parse(summaryJson ?? 'null'),
    media: Object.fromEntries(mediaKinds.filter((kind) => media[kind]).map((kind) => [kind, { ...media[kind] }])),
  };
}

export const mediaKinds = ['audio', 'video', 'preview_image'] as const satisfies MediaKind[];
