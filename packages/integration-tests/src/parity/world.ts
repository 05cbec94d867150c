import type { MemoryRecord } from '@memory-read/contract';
import { edgeCases } from '@memory-read/fixtures';

/** The data of every host: three accounts with their memories and keys, at a fixed time. */
export const now = '2026-06-01T12:00:00.500Z';

/** The id that a mock gives its default account. */
export const gallery = 'user_1';

export const accounts: Record<string, readonly MemoryRecord[]> = {
  [gallery]: Object.values(edgeCases),
  user_one: [{ ...edgeCases.otherMediaTypes, id: 'mem_of_one', name: 'The only one' }],
  user_none: [],
};

export interface WorldKey {
  userId: string;
  state: 'active' | 'revoked' | 'expired';
}

/** The keys for a conformance run over the world. */
export const runKeys = {
  apiKey: 'key-of-gallery',
  otherAccountApiKey: 'key-of-one',
  emptyAccountApiKey: 'key-of-none',
  inactiveApiKey: 'revoked-key-of-one',
};

export const keys: Record<string, WorldKey> = {
  'key-of-gallery': { userId: gallery, state: 'active' },
  'key-of-one': { userId: 'user_one', state: 'active' },
  'second-key-of-one': { userId: 'user_one', state: 'active' },
  'k;=/+~\'"()[]{}<>@:?\\|`^&*%$#!': { userId: 'user_one', state: 'active' },
  'key-of-none': { userId: 'user_none', state: 'active' },
  'revoked-key-of-one': { userId: 'user_one', state: 'revoked' },
  'expired-key-of-one': { userId: 'user_one', state: 'expired' },
};
