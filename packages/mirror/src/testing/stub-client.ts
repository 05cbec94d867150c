import { MemoryClient } from '@memory-read/client';
import type { Memory } from '@memory-read/contract';

/** Returns a client of an account in the process of the test. Its memories are read at each request. */
export function stubClient(memories: ReadonlyMap<string, Memory>): MemoryClient {
  const fetch = async (request: Request) => {
    const [, id] = /\/v1\/memories\/(.+)$/.exec(request.url) ?? [];
    const list = () => [...memories.values()].map((memory) => ({ ...memory, transcript: null }));
    return Response.json(id === undefined ? list() : memories.get(decodeURIComponent(id)));
  };
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'mrk_hush', retries: 0, fetch });
}
