import { sampleMedia } from '@memory-read/fixtures';
import { hashApiKey } from '@memory-read/server';
import { mediaFrom, type WholeStore } from '@memory-read/test-kit/memory-service';
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

/** Returns the sample of its kind for every object that a memory names. */
export const source = mediaFrom((objectKey) => {
  const media = Object.values(accounts).flatMap((memories) => memories.flatMap(({ media }) => Object.entries(media)));
  const [kind] = media.find(([, reference]) => reference?.object_key === objectKey) ?? [];
  return kind === undefined ? undefined : sampleMedia(kind as 'audio').bytes;
});
