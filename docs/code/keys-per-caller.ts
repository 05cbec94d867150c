// #region keys-per-caller
import { AsyncLocalStorage } from 'node:async_hooks';
import { type ListedMemory, MemoryClient } from '@memory-read/client';

const caller = new AsyncLocalStorage<{ apiKey: string }>();

const client = new MemoryClient({
  baseUrl: 'https://api.example.com',
  apiKey: () => {
    const { apiKey } = caller.getStore() ?? {};
    if (apiKey === undefined) throw new Error('Failed to read memories: no caller is set. Use caller.run().');
    return apiKey;
  },
});

/** Handles one request to your own service: every call inside reads with the key of its caller. */
export function listFor(apiKey: string): Promise<ListedMemory[]> {
  return caller.run({ apiKey }, () => client.listMemories());
}
// #endregion

console.log((await listFor(process.env.MEMORY_API_KEY ?? '')).length);
await client.listMemories().catch(({ message }: Error) => console.log(message));
