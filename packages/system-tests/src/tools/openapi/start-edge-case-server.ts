import { createMemories, edgeCases } from '@memory-read/fixtures';
import { createInMemoryStore, type MemoryStoreAdmin } from '@memory-read/server';
import type { RunningServer } from '@memory-read/server/node';
import { createFakeClock } from '@memory-read/server/testing';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { serveMemories } from '@memory-read/test-kit/serve-memories';

/** The reference server with a fixed clock, so that two responses for one memory are equal. */
export interface EdgeCaseServer extends RunningServer {
  /** Key of the account with every edge case. */
  apiKey: string;
  /** Key of an account with two dozen ordinary memories. */
  otherApiKey: string;
  store: MemoryStoreAdmin;
}

/** Starts it on a free port. */
export async function startEdgeCaseServer(): Promise<EdgeCaseServer> {
  const store = createInMemoryStore();
  const { key: apiKey } = await addAccount(store, 'ada', Object.values(edgeCases));
  const others = createMemories({ count: 24, seed: 7, now: '2026-01-01T00:00:00Z' });
  const { key: otherApiKey } = await addAccount(store, 'grace', others);
  const server = await serveMemories(store, { clock: createFakeClock('2026-03-02T00:00:00Z') });
  return { ...server, apiKey, otherApiKey, store };
}
