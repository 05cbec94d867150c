import { MemoryClient } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount, createMemoryService, type MemoryServiceOptions } from '@memory-read/test-kit/memory-service';

const baseUrl = 'https://api.example.com';

/** Returns a client of a server in this process, whose store has these memories. `change` replaces its responses. */
export async function openClient(
  records: Iterable<MemoryRecord>,
  options?: MemoryServiceOptions,
  change: (response: Response) => Response | Promise<Response> = (response) => response,
) {
  const store = createInMemoryStore();
  const { key } = await addAccount(store, 'user_1', records);
  const service = createMemoryService(store, baseUrl, options);
  const fetch = async (request: Request) => change(await service.fetch(request));
  return { store, client: new MemoryClient({ baseUrl, apiKey: key, fetch }) };
}
