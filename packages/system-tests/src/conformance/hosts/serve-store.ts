import { serve } from '@memory-read/server/node';
import type { WholeStore } from '@memory-read/test-kit/memory-service';
import { hostApi } from './host-api.ts';

/** The server on Node, over a store that is still empty. */
export async function serveStore(store: WholeStore): Promise<AsyncDisposable & { url: string }> {
  const server = await serve({ port: 0, fetch: hostApi(store) });
  return { url: server.url, [Symbol.asyncDispose]: () => server.close() };
}
