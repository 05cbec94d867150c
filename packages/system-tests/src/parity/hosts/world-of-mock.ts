import type { MemoryMock, MemoryMockOptions } from '@memory-read/msw';
import { accounts, gallery, keys, now } from '../world.ts';

/** What a mock begins with to hold the world; {@link fillMock} adds the rest. */
export const worldOptions: MemoryMockOptions = { now, memories: accounts[gallery] };

/** Adds the keys of the world and what other accounts have. */
export function fillMock(mock: MemoryMock): void {
  for (const [apiKey, { userId, state }] of Object.entries(keys)) {
    mock.accounts.add({ userId, apiKey });
    // Keys of the mock do not expire, so expired and revoked keys are both deactivated.
    if (state !== 'active') mock.accounts.deactivateKey(apiKey);
  }
  for (const [userId, memories] of Object.entries(accounts)) {
    if (userId !== gallery) for (const memory of memories) mock.memories.add(memory, { userId });
  }
}
