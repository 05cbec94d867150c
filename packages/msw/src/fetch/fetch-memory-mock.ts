import type { AccountControls } from '../accounts/account-controls.ts';
import type { MemoryBackend } from '../create-memory-backend.ts';
import type { MockApi } from '../create-mock-api.ts';
import type { FaultControls } from '../faults/fault-schedule.ts';
import type { MemoryControls } from '../memories/memory-controls.ts';
import type { MockClock } from '../mock-clock.ts';
import { pageAddress } from '../mock-options.ts';
import type { RequestName, RequestRecord } from '../request-log/request-log.ts';

/** A Memory Read API for tests: the reference server with controls for everything that a test decides. */
export interface FetchMemoryMock {
  /**
   * Returns the mock's response, without MSW. Use it as the `fetch` option of a client, or in a route of Playwright.
   *
   * A relative URL is resolved against the page, if there is one. If a `match.request` function throws, the call
   * rejects with the same error.
   *
   * @throws a {@link TypeError} on a network error, or if the URL is neither below `baseUrl` nor below `mediaUrl`.
   */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Root URL of the API, absolute and without a trailing slash. */
  readonly baseUrl: string;
  /** Root URL of the media, absolute and without a trailing slash. */
  readonly mediaUrl: string;
  /** API key of the default account. */
  readonly apiKey: string;
  /** Clock of the mock. It decides the start of new memories, the end of processing and the expiry of media URLs. */
  readonly clock: MockClock;
  readonly memories: MemoryControls;
  readonly accounts: AccountControls;
  readonly faults: FaultControls;
  /** Requests to the API and for media since the last reset, in order. Those for media have the operation `'media'`. */
  readonly requests: readonly RequestRecord[];
  /**
   * Returns the next request to the API that gets a response or stalls: any, or one of an operation. With `'media'`,
   * returns the next request for media. The promise rejects if the mock is reset first.
   *
   * @throws a {@link RangeError} if the operation is unknown.
   */
  nextRequest(operation?: RequestName): Promise<RequestRecord>;
  /**
   * Expires every media URL returned so far: the storage answers it with 403. No time passes, so the client does not
   * expect it. `reset` undoes it.
   */
  expireMediaUrls(): void;
  /**
   * Resets memories, accounts, keys, clock, faults and requests. Pending requests get the status 418, which no client
   * repeats, with a `detail` that names the reset.
   */
  reset(): void;
}

/** Returns the part of a backend that tests may use. */
export function toFetchMemoryMock(backend: MemoryBackend): FetchMemoryMock {
  const { baseUrl, mediaUrl, faults, log, reset } = backend;
  return {
    ...controlsOf(backend),
    fetch: createFetch(backend),
    baseUrl,
    mediaUrl,
    faults: { next: faults.next, always: faults.always, clear: faults.clear },
    requests: log.requests,
    nextRequest: log.nextRequest,
    reset,
  };
}

/** Returns the controls that every mock has. */
export function controlsOf({ clock, accounts, memories, expireMediaUrls }: MockApi) {
  return {
    apiKey: accounts.main.apiKey,
    clock: { now: clock.now, advance: clock.advance, set: clock.set },
    memories: {
      add: memories.add,
      addProcessing: memories.addProcessing,
      finishProcessing: memories.finishProcessing,
      update: memories.update,
      remove: memories.remove,
      all: memories.all,
    },
    accounts: { add: accounts.add, deactivateKey: accounts.deactivateKey },
    expireMediaUrls,
  };
}

function createFetch({ owns, respond, baseUrl, mediaUrl }: MemoryBackend) {
  return async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request =
      typeof input === 'object' && 'headers' in input && !init ? input : new Request(absolute(input), init);
    request.signal.throwIfAborted();
    if (!owns(request.url)) {
      const { origin, pathname } = new URL(request.url);
      throw fetchError(`it does not serve ${origin}${pathname}`, `Use a URL below ${baseUrl} or ${mediaUrl}`);
    }
    const answer = await respond(request);
    request.signal.throwIfAborted();
    if (!answer) throw fetchError('a scheduled fault is a network error', 'Expect this error, or call faults.clear');
    // Callers need the URL to resolve a relative Location and for messages.
    return Object.defineProperty(answer, 'url', { value: request.url.replace(/#.*/, '') });
  };
}

/** Resolves a relative URL against the page; without a page it is invalid. */
function absolute(input: Request | URL | string): Request | URL | string {
  const page = pageAddress();
  return typeof input === 'string' && page !== undefined ? new URL(input, page) : input;
}

function fetchError(problem: string, advice: string): TypeError {
  return new TypeError(`Failed to fetch from the mock: ${problem}. ${advice}.`);
}
