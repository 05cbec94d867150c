import { HttpResponse, http, type RequestHandler } from 'msw';
import { createMemoryBackend, type MemoryBackend } from './create-memory-backend.ts';
import { type FetchMemoryMock, toFetchMemoryMock } from './fetch/fetch-memory-mock.ts';
import { type MemoryMockOptions, resolveOptions } from './mock-options.ts';

/**
 * A Memory Read API for tests: the reference server with controls for everything that a test decides, and MSW handlers.
 */
export interface MemoryMock extends FetchMemoryMock {
  /**
   * Handlers for MSW. They handle every path below `baseUrl` and `mediaUrl`, so no such request reaches the network.
   */
  readonly handlers: RequestHandler[];
}

/**
 * Creates a mock: the reference server with its own memories. See sections 2 to 7 of the specification.
 *
 * The generated memories and the keys are the same in every run. The clock reads `Date.now()`, as the client does. With
 * the option `now`, it stands still until you move it, and all responses are the same in every run, byte for byte.
 *
 * @throws a {@link TypeError} if an option is unknown or invalid.
 * @throws a {@link RangeError} if `now` is not a valid date.
 *
 * @example
 * ```ts
 * const mock = createMemoryMock();
 * const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
 * const { id } = mock.memories.addProcessing({ name: 'Stand-up' }, { finishAfter: 60_000 });
 * mock.clock.advance(60_000);
 * console.log((await client.getMemory(id)).is_processing); // false
 * ```
 */
export function createMemoryMock(options: MemoryMockOptions = {}): MemoryMock {
  return toMemoryMock(createMemoryBackend(resolveOptions(options)));
}

/** Returns the mock of a backend. */
export function toMemoryMock(backend: MemoryBackend): MemoryMock {
  return { ...toFetchMemoryMock(backend), handlers: [createHandler(backend)] };
}

/** Returns the response for MSW. */
export async function answerForMsw({ respond }: MemoryBackend, request: Request): Promise<Response> {
  try {
    return (await respond(request)) ?? HttpResponse.error();
  } catch (error) {
    // MSW would turn an error of a predicate into a 500.
    console.error(error);
    return HttpResponse.error();
  }
}

/** Returns the handler of a mock. A path pattern would miss other methods, other ports and paths that look like files. */
export function createHandler(backend: MemoryBackend): RequestHandler {
  return http.all(
    ({ request }) => backend.owns(request.url),
    ({ request }) => answerForMsw(backend, request),
  );
}
