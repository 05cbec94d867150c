import { createMemoryBackend } from '../create-memory-backend.ts';
import { type MemoryMockOptions, resolveOptions } from '../mock-options.ts';
import { type FetchMemoryMock, toFetchMemoryMock } from './fetch-memory-mock.ts';

/**
 * The mock of the root entry without its `handlers`, for which MSW need not be installed: its `fetch` answers.
 *
 * @throws TypeError when an option is unknown or cannot be used; RangeError when `now` is no date.
 *
 * @see Sections 2 to 7 of the specification.
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
