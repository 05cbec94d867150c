import { mediaKinds } from '@memory-read/contract/fields';
import { recordedMedia } from '@memory-read/fixtures';
import type { MediaSource } from '@memory-read/server';
import type { MockStore } from '../memories/mock-store.ts';
import { toMemoryRecord } from '../memories/to-memory-record.ts';

/** Serves the media objects of all memories: the bytes of the test, or a computed recording of the right length. */
export function createMockMediaSource(store: MockStore): MediaSource {
  return {
    async open(objectKey) {
      for (const memory of store.all()) {
        const kind = mediaKinds.find((name) => memory.media[name]?.object_key === objectKey);
        if (kind) return store.ownMedia.get(objectKey) ?? recordedMedia(toMemoryRecord(memory), kind);
      }
      return undefined;
    },
  };
}
