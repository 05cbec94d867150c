import { createMemoryBackend } from '../create-memory-backend.ts';
import { type MemoryMockOptions, resolveOptions } from '../mock-options.ts';
import { type FetchMemoryMock, toFetchMemoryMock } from './fetch-memory-mock.ts';

/**
 * Creates a mock without `handlers`, so MSW is not needed: pass its `fetch` to a client. See sections 2 to 7 of the
 * specification.
 *
 * @throws a {@link TypeError} if an option is unknown or invalid.
 * @throws a {@link RangeError} if `now` is not a valid date.
 *
 * @example
 * ```ts
 * import { MemoryClient } from '@memory-read/client';
 * import { createMemoryMock } from '@memory-read/msw/fetch';
 *
 * const mock = createMemoryMock();
 * const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
 * mock.memories.add({ name: 'Stand-up' });
 * console.log((await client.listMemories())[0]?.name); // Stand-up
 * ```
 */
export function createMemoryMock(options: MemoryMockOptions = {}): FetchMemoryMock {
  return toFetchMemoryMock(createMemoryBackend(resolveOptions(options)));
}
