import type { MemoryRecord } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { createMemories } from '@memory-read/fixtures';

/** Account of the memories of a demo. */
export const demoUserId = 'user_demo';

const prefix = 'mem_demo_';
/** Older than the showcase, which stays first in the list. */
const ageMs = 3 * 3_600_000;

/** Returns the id of a recording of a demo that ended three hours before this time. */
export function demoRecordingId(now: Date): string {
  return `${prefix}${now.getTime().toString(36)}`;
}

/**
 * Returns the processed memory of an id, and undefined for ids of other memories.
 *
 * The memory follows from its id alone, so that a later start of the demo can finish a memory that an earlier one added.
 */
export function demoRecordingOf(memoryId: string): MemoryRecord | undefined {
  const addedMs = memoryId.startsWith(prefix) ? Number.parseInt(memoryId.slice(prefix.length), 36) : Number.NaN;
  if (!(addedMs > 0) || demoRecordingId(new Date(addedMs)) !== memoryId) return undefined;
  const generated = createMemories({ count: 20, seed: memoryId, now: new Date(addedMs), language: 'en' });
  const spoken = generated.find(({ transcript, media }) => transcript?.segments.length && media.audio);
  return spoken && { ...movedBy(spoken, addedMs - ageMs - Date.parse(spoken.ended_at)), ...identity(memoryId, spoken) };
}

function identity(id: string, { media }: MemoryRecord): Pick<MemoryRecord, 'id' | 'media'> {
  const renamed = mediaKinds.flatMap((kind) => {
    const reference = media[kind];
    return reference ? [[kind, { ...reference, object_key: reference.object_key.replace(/^[^/]+/, id) }]] : [];
  });
  return { id, media: Object.fromEntries(renamed) };
}

function movedBy(memory: MemoryRecord, milliseconds: number): MemoryRecord {
  const moved = (dateTime: string) => new Date(Date.parse(dateTime) + milliseconds).toISOString();
  const segments = memory.transcript?.segments.map((segment) => ({
    ...segment,
    start_at: moved(segment.start_at),
    end_at: moved(segment.end_at),
  }));
  return {
    ...memory,
    started_at: moved(memory.started_at),
    ended_at: moved(memory.ended_at),
    transcript: segments === undefined ? null : { segments },
  };
}
