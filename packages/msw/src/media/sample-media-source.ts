import type { MediaKind } from '@memory-read/contract';
import { sampleMedia } from '@memory-read/fixtures';
import type { MediaObject, MediaSource } from '@memory-read/server';
import type { MockStore } from '../memories/mock-store.ts';

/** Serves a sample file for every media object of a memory. */
export function createSampleMediaSource(store: MockStore): MediaSource {
  return {
    async open(objectKey) {
      const found = store.findMedia(objectKey);
      return found && toMediaObject(found.kind);
    },
  };
}

function toMediaObject(kind: MediaKind): MediaObject {
  const { bytes } = sampleMedia(kind);
  return {
    size: bytes.length,
    etag: `"${kind}"`,
    stream: (range = { start: 0, end: bytes.length - 1 }) =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.subarray(range.start, range.end + 1));
          controller.close();
        },
      }),
  };
}
