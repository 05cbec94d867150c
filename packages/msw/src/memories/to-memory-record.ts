import type { MemoryRecord } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import type { StoredMemory } from '@memory-read/server';

/** Returns the record of a stored memory, as a copy. */
export function toMemoryRecord(stored: StoredMemory): MemoryRecord {
  const { user_id: _, media, summaryJson, transcriptJson, ...fields } = stored;
  return {
    ...fields,
    transcript: JSON.parse(String(transcriptJson ?? null)),
    summary: JSON.parse(summaryJson ?? 'null'),
    media: Object.fromEntries(mediaKinds.filter((kind) => media[kind]).map((kind) => [kind, { ...media[kind] }])),
  };
}
