import { fillStore, source } from '@memory-read/integration-tests/parity/hosts/fill-store';
import { createMemoryService, type WholeStore } from '@memory-read/test-kit/memory-service';

type Fetch = (request: Request) => Promise<Response>;

/**
 * The server and its media over a store, which is filled at the first request, because the origin is unknown before.
 */
export function hostApi(store: WholeStore): Fetch {
  let ready: Promise<Fetch> | undefined;
  return async (request) => {
    ready ??= fillStore(store).then(() => createMemoryService(store, new URL(request.url).origin, { source }).fetch);
    return (await ready)(request);
  };
}
