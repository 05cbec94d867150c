import type { OperationId } from '@memory-read/contract/operations';
import type { AccountControls } from '../accounts/account-controls.ts';
import type { MemoryBackend, ResponseFailure } from '../create-memory-backend.ts';
import type { FaultControls } from '../faults/fault-schedule.ts';
import type { MemoryControls } from '../memories/memory-controls.ts';
import type { MockClock } from '../mock-clock.ts';
import { pageAddress } from '../mock-options.ts';
import type { RequestRecord } from '../request-log/request-log.ts';

/** A Memory Read API for tests: the reference server, and everything about it that a test wants to decide. */
export interface FetchMemoryMock {
  /**
   * The backend without MSW, as the `fetch` of a client, or behind a route of Playwright.
   *
   * Rejects with a `TypeError` on a network error, and where the URL lies neither below `baseUrl` nor below `mediaUrl`;
   * with what a `match.request` throws. A relative URL is one of the page, where there is one.
   */
  fetch(request: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string;
  /** Absolute, without a slash at its end. */
  readonly mediaUrl: string;
  /** A key of the default account. */
  readonly apiKey: string;
  /** Drives the starts of new memories, processing, and when media URLs expire. */
  readonly clock: MockClock;
  readonly memories: MemoryControls;
  readonly accounts: AccountControls;
  readonly faults: FaultControls;
  /** What was asked of the API since the last reset, in order. Media are not logged. */
  readonly requests: readonly RequestRecord[];
  /**
   * The next request that is answered, or stalls, from now on. It rejects where the mock is reset before.
   *
   * @throws RangeError when there is no such operation.
   */
  nextRequest(operation?: OperationId): Promise<RequestRecord>;
  /** Memories, accounts, keys, clock, faults and requests are as at the start; what is not answered yet ends as a network error. */
  reset(): void;
}

/** Returns the part of a backend that tests may use. */
export function toFetchMemoryMock(backend: MemoryBackend): FetchMemoryMock {
  const { baseUrl, mediaUrl, clock, accounts, memories, faults, log, reset } = backend;
  return {
    fetch: createFetch(backend),
    baseUrl,
    mediaUrl,
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
    faults: { next: faults.next, always: faults.always, clear: faults.clear },
    requests: log.requests,
    nextRequest: log.nextRequest,
    reset,
  };
}

function createFetch({ owns, respond, baseUrl, mediaUrl }: MemoryBackend) {
  return async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request =
      typeof input === 'object' && 'headers' in input && !init ? input : new Request(absolute(input), init);
    request.signal.throwIfAborted();
    if (!owns(request.url)) {
      const { origin, pathname } = new URL(request.url);
      throw fetchError(`${origin}${pathname} is none of its URLs`, `Ask below ${baseUrl} or ${mediaUrl}`);
    }
    const answer = await respond(request);
    request.signal.throwIfAborted();
    if (typeof answer === 'string') throw responseFailureErrors[answer]();
    // Needed to resolve a relative Location, and in messages.
    return Object.defineProperty(answer, 'url', { value: request.url.replace(/#.*/, '') });
  };
}

/** Resolves a relative URL against the page; without a page it is invalid. */
function absolute(input: Request | URL | string): Request | URL | string {
  const page = pageAddress();
  return typeof input === 'string' && page !== undefined ? new URL(input, page) : input;
}

const responseFailureErrors: Record<ResponseFailure, () => TypeError> = {
  'network-error': () => fetchError('the mock was asked for a network error', 'Expect this where faults are scheduled'),
  reset: () => fetchError('the mock was reset before it had answered', 'Await in a test what it asks'),
};

function fetchError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to fetch from the mock: because ${reason}. ${advice}.`);
}
