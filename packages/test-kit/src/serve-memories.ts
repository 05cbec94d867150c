import type { ApiKeyStore, MemoryStore } from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { createMemoryService, type MemoryService, type MemoryServiceOptions } from './memory-service.ts';

/** A server with the API over a store and its media, on a port of 127.0.0.1. */
export interface ServedMemories extends RunningServer {
  /** Base URL of the API, without a slash at its end. */
  readonly baseUrl: string;
  readonly mediaSigner: MemoryService['mediaSigner'];
}

export interface ServeMemoriesOptions extends MemoryServiceOptions {
  /** Path below which the API is mounted, such as `/api`. Default: none. */
  readonly basePath?: string;
  /** Handles each request. It returns a response of its own, or calls `answer` for that of the service. */
  readonly around?: (request: Request, answer: () => Promise<Response>) => Response | Promise<Response>;
}

/** Starts the service on a free port. */
export async function serveMemories(
  store: MemoryStore & Pick<ApiKeyStore, 'findApiKey'>,
  { basePath = '', around, ...options }: ServeMemoriesOptions = {},
): Promise<ServedMemories> {
  const server = await serve({
    port: 0,
    fetch: (request) => around?.(request, () => service.fetch(request)) ?? service.respond(request),
    onError: options.onError,
  });
  const baseUrl = `${server.url}${basePath}`;
  const service = createMemoryService(store, baseUrl, options);
  return { ...server, baseUrl, mediaSigner: service.mediaSigner };
}
