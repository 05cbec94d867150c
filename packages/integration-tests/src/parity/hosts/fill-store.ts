import { mediaKinds } from '@memory-read/contract/fields';
import { recordedMedia } from '@memory-read/fixtures';
import { hashApiKey, type MediaSource } from '@memory-read/server';
import type { WholeStore } from '@memory-read/test-kit/memory-service';
import { accounts, keys, now } from '../world.ts';

/** Puts the world into a store. */
export async function fillStore(store: WholeStore): Promise<void> {
  for (const [userId, memories] of Object.entries(accounts)) {
    await store.putAccount({ userId });
    await store.putMemories(userId, [...memories]);
  }
  for (const [index, [key, { userId, state }]] of Object.entries(keys).entries()) {
    const expiresAt = state === 'expired' ? new Date(now) : undefined;
    await store.putApiKey({ keyId: `key_${index}`, keyHash: hashApiKey(key), userId, expiresAt });
    if (state === 'revoked') await store.revokeApiKey(`key_${index}`);
  }
}

/** Serves the recordings of all memories. */
export const source: MediaSource = {
  async open(objectKey) {
    for (const memory of Object.values(accounts).flat()) {
      const kind = mediaKinds.find((name) => memory.media[name]?.object_key === objectKey);
      if (kind) return recordedMedia(memory, kind);
    }
    return undefined;
  },
};
