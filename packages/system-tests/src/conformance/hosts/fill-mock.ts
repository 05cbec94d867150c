import type { MemoryMock } from '@memory-read/msw';
import { hostKeys, hostRecords } from './host-records.ts';

/** What a mock begins with, so that its default account has memories of every kind. */
export const mockOptions = { memories: hostRecords().slice(0, 20) };

/** Gives it the other accounts and keys, and returns all keys. */
export function fillMock({ accounts, memories, apiKey }: MemoryMock): typeof hostKeys {
  const { otherAccountApiKey, emptyAccountApiKey, inactiveApiKey } = hostKeys;
  const other = accounts.add({ apiKey: otherAccountApiKey });
  memories.add({}, { userId: other.userId });
  accounts.add({ apiKey: emptyAccountApiKey });
  accounts.add({ apiKey: inactiveApiKey });
  accounts.deactivateKey(inactiveApiKey);
  return { ...hostKeys, apiKey };
}
