import { HttpResponse, http, type RequestHandler } from 'msw';
import { createMemoryBackend, type MemoryBackend } from './create-memory-backend.ts';
import { type FetchMemoryMock, toFetchMemoryMock } from './fetch/fetch-memory-mock.ts';
import { type MemoryMockOptions, resolveOptions } from './mock-options.ts';

/** A Memory Read API for tests: the reference server, everything about it that a test wants to decide, and its handlers. */
export interface MemoryMock extends FetchMemoryMock {
  /** For MSW. They own every path below `baseUrl` and `mediaUrl`, so nothing there reaches the network. */
  readonly handlers: RequestHandler[];
}

/**
 * A mock that behaves as the reference server does, because it is the reference server, over memories of its own.
 *
 * Everything is the same in every run: the memories, the keys, and the time, which stands still until it is moved.
 *
 * @throws TypeError when an option is unknown or cannot be used; RangeError when `now` is no date.
 *
 * @see Sections 2 to 7 of the specification.
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

/** The mock that a backend is of. */
export function toMemoryMock(backend: MemoryBackend): MemoryMock {
  return { ...toFetchMemoryMock(backend), handlers: [createHandler(backend)] };
}

/** An answer as MSW takes it. */
export async function answerForMsw({ respond }: MemoryBackend, request: Request): Promise<Response> {
  try {
    const answer = await respond(request);
    return typeof answer === 'string' ? HttpResponse.error() : answer;
  } catch (error) {
    // What a predicate of a fault threw: MSW would answer with it as a 500.
    console.error(error);
    return HttpResponse.error();
  }
}

/** A predicate, because a path would miss methods, other hosts' ports, and what looks like a file. */
function createHandler(backend: MemoryBackend): RequestHandler {
  return http.all(
    ({ request }) => backend.owns(request.url),
    ({ request }) => answerForMsw(backend, request),
  );
}
