// #region client-per-account
import { type ListedMemory, MemoryClient } from '@memory-read/client';

const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: () => readKey('service') });

/** Handles one request to your own service with the key of its caller. */
export function listFor(apiKey: string): Promise<ListedMemory[]> {
  return client.withOptions({ apiKey }).listMemories();
}
// #endregion

async function readKey(_name: string): Promise<string> {
  return process.env.MEMORY_API_KEY ?? '';
}

console.log((await listFor(await readKey('caller'))).length, (await client.listMemories()).length);
