import { fileURLToPath } from 'node:url';
import { mediaKinds } from '@memory-read/contract/fields';
import { recordedMedia } from '@memory-read/fixtures';
import type { MediaSource } from '@memory-read/server';
import { createDirectoryMediaSource } from '@memory-read/server/node';
import type { Storage } from '../storage/storage.ts';
import { demoRecordingOf, demoUserId } from './demo-recording.ts';

/**
 * Reads the media of a demo from a folder, then those of the showcase from their package, and computes all others when they
 * are read.
 */
export function createDemoMedia(storage: Pick<Storage, 'getMemory'>, folder?: MediaSource): MediaSource {
  const path = fileURLToPath(new URL('media', import.meta.resolve('@memory-read/fixtures/package.json')));
  const showcase = createDirectoryMediaSource({ path });
  return {
    async open(objectKey, { signal } = {}) {
      const file = (await folder?.open(objectKey, { signal })) ?? (await showcase.open(objectKey, { signal }));
      if (file) return file;
      const memoryId = objectKey.replace(/\/.*/s, '');
      const memory = await storage.getMemory({ userId: demoUserId, memoryId, signal });
      const kind = mediaKinds.find((name) => memory?.media[name]?.object_key === objectKey);
      if (!memory || !kind) return undefined;
      const transcript = JSON.parse(String(memory.transcriptJson ?? null));
      // The recording stays the same when its processing ends.
      const processed = memory.is_processing ? demoRecordingOf(memoryId) : undefined;
      return recordedMedia(processed ?? { ...memory, transcript }, kind);
    },
  };
}
