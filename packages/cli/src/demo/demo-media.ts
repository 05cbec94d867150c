import { mediaKinds } from '@memory-read/contract/fields';
import { recordedMedia } from '@memory-read/fixtures';
import type { MediaSource } from '@memory-read/server';
import type { Storage } from '../storage/storage.ts';
import { demoRecordingOf, demoUserId } from './demo-recording.ts';

/** Computes the media of a demo's memories when they are read, unless the folder of the media has a file for them. */
export function createDemoMedia(storage: Pick<Storage, 'getMemory'>, folder?: MediaSource): MediaSource {
  return {
    async open(objectKey, { signal } = {}) {
      const file = await folder?.open(objectKey, { signal });
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
