import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MediaKind, MemoryRecord } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { sampleMedia } from '@memory-read/fixtures';
import type { MediaObject, MediaSource } from '@memory-read/server';

/** Writes a playable file for every media object of the memories. Existing files stay. */
export async function writeDemoMedia(directory: string, memories: readonly MemoryRecord[]): Promise<void> {
  for (const [objectKey, kind] of objectsOf(memories)) {
    const path = join(directory, objectKey);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, sampleMedia(kind).bytes, { flag: 'wx' }).catch(ignoreExisting);
  }
}

/** Serves the same files from memory, for the memories that were passed to `add`. */
export function createInMemoryDemoMedia(): MediaSource & { add(memories: readonly MemoryRecord[]): void } {
  const kinds = new Map<string, MediaKind>();
  return {
    add(memories) {
      for (const [objectKey, kind] of objectsOf(memories)) kinds.set(objectKey, kind);
    },
    async open(objectKey) {
      const kind = kinds.get(objectKey);
      return kind && toMediaObject(kind);
    },
  };
}

function* objectsOf(memories: readonly MemoryRecord[]): Generator<[objectKey: string, kind: MediaKind]> {
  for (const { media } of memories) {
    for (const kind of mediaKinds) {
      const reference = media[kind];
      if (reference) yield [reference.object_key, kind];
    }
  }
}

function toMediaObject(kind: MediaKind): MediaObject {
  const { bytes } = sampleMedia(kind);
  return {
    size: bytes.length,
    etag: `"${kind}"`,
    stream: (range = { start: 0, end: bytes.length - 1 }) =>
      new Blob([bytes.subarray(range.start, range.end + 1)]).stream(),
  };
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
