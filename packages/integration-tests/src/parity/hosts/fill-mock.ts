import type { MemoryMock, MemoryMockOptions } from '@memory-read/msw';
import { accounts, gallery, keys, now } from '../world.ts';

/** Options of a mock with a part of the world. {@link fillMock} adds the rest. */
export const worldOptions: MemoryMockOptions = { now, memories: accounts[gallery] };

/** Adds the keys of the world and the memories of other accounts. */
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
