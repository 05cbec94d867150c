import { recordedMedia } from '@memory-read/fixtures';
import type { MediaSource, StoredMemory } from '@memory-read/server';
import type { MockStore } from '../memories/mock-store.ts';
import { toMemoryRecord } from '../memories/to-memory-record.ts';

/** Serves the media objects of all memories: the bytes of the test, or a computed recording of the right length. */
export function createMockMediaSource(store: MockStore): MediaSource {
  return {
    async open(objectKey) {
      const found = store.findMedia(objectKey);
      if (found === undefined) return undefined;
      const memory = toMemoryRecord(store.find(found.memoryId) as StoredMemory);
      return store.ownMedia.get(objectKey) ?? recordedMedia(memory, found.kind);
    },
  };
}
