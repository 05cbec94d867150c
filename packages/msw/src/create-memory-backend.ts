import { createMockApi, pathOf } from './create-mock-api.ts';
import { cutAnswer } from './faults/damaged-answer.ts';
import type { Fault } from './faults/fault.ts';
import type { PlayedRequest } from './faults/fault-player.ts';
import { isBelow, type ResolvedOptions } from './mock-options.ts';
import { createRequestLog, loggedParts, type RequestRecord } from './request-log/request-log.ts';
import type { RequestTarget } from './request-log/request-target.ts';

/** A mock in process: it responds to requests and logs them, without a transport. */
export type MemoryBackend = ReturnType<typeof createMemoryBackend>;

export function createMemoryBackend(options: ResolvedOptions) {
  const { baseUrl, mediaUrl, seed } = options;
  // The keys depend on the URL, so that no mock accepts a key of another one.
  const mock = createMockApi({
    ...options,
    isServer: false,
    basePath: pathOf(baseUrl),
    identity: `${seed} ${baseUrl}`,
  });
  const { clock, accounts, faults, player } = mock;
  const log = createRequestLog<RequestRecord>(({ operation }) => operation !== 'media');
  let predicateErrors: unknown[] = [];
  const starts = new WeakMap<Request, number>();
  let resets = 0;
  return {
    ...mock,
    baseUrl,
    mediaUrl,
    log,
    owns,
    begin: (request: Request) => void starts.set(request, resets),
    respond,
    takePredicateErrors,
    reset,
  };

  function owns(url: string): boolean {
    return isBelow(baseUrl, url) || isBelow(mediaUrl, url);
  }

  /** The root of the media is not an object, as in `memory-read serve`. */
  function isMedia(url: string): boolean {
    return isBelow(mediaUrl, url) && new URL(url).pathname.startsWith(`${pathOf(mediaUrl)}/`);
  }

  /**
   * Returns the response, or undefined if the network fails. Its body is complete, unless it is that of media or a fault cuts it. After a reset
   * since `begin`, or since this call, it is the one that names the reset.
   *
   * @throws what a predicate of a fault throws.
   */
  async function respond(request: Request): Promise<Response | undefined> {
    const resetsBefore = starts.get(request) ?? resets;
    if (resets > resetsBefore) return whole(resetAnswer(), request);
    const requestId = mock.nextRequestId();
    const response = await faultyAnswer(request, (sent) =>
      mock.fetch(sent, isMedia(sent.url) ? 'media' : 'api', requestId),
    );
    return resets > resetsBefore ? whole(resetAnswer(), request) : response;
  }

  /** Returns the errors that predicates of the test have thrown since the last call. */
  function takePredicateErrors(): unknown[] {
    const taken = predicateErrors;
    predicateErrors = [];
    return taken;
  }

  async function faultyAnswer(request: Request, answer: PlayedRequest['answer']): Promise<Response | undefined> {
    const { method, headers, url } = request;
    const { pathname: path } = new URL(url);
    // A page sends preflights for media, but a service worker does not see them. Tests count the same everywhere.
    if (isMedia(url) && method === 'OPTIONS') return whole(await answer(request), request);
    const target = mock.targetOf(path, isMedia(url) ? 'media' : 'api');
    const fault = faultOf(request, target) ?? null;
    const record = {
      ...target,
      ...loggedParts({ ...target, path, headers: Object.fromEntries(headers), fault }, accounts.redactKeys),
      method,
      at: clock.now(),
    };
    const replace = log.add(Object.freeze({ ...record, status: null }));
    const settle = (status: number | null) => {
      const settled = Object.freeze({ ...record, status });
      if (replace(settled)) log.announce(settled);
    };
    // The stalled request must be visible to a test that awaits it.
    if (fault === 'stall') settle(null);
    const { operation } = target;
    const played = await (fault ? player.play(fault, { operation, request, answer }) : answer(request));
    const complete = played && (await whole(played, request, { canStream: isMedia(url) }));
    if (fault !== 'stall') settle(complete?.status ?? null);
    return complete && fault === 'cut' ? cutAnswer(complete) : complete;
  }

  function faultOf(request: Request, target: RequestTarget): Fault | undefined {
    try {
      // A mock that is not a server refuses all others.
      return faults.take(request, target) as Fault | undefined;
    } catch (error) {
      predicateErrors.push(error);
      throw error;
    }
  }

  /**
   * MSW hides stream failures and lengths. Without a length, a client waits until the connection ends. A server also
   * sends its time. Media have a length and can be long, so they stay a stream.
   */
  async function whole(response: Response, { method }: Request, { canStream = false } = {}): Promise<Response> {
    const { status } = response;
    const body = method === 'HEAD' ? null : response.body;
    const isStream = canStream && response.headers.has('content-length');
    const bytes = body === null || isStream ? undefined : await response.arrayBuffer();
    // MSW 2 replaces Headers by a class that does not always accept another instance.
    const headers = {
      ...Object.fromEntries(response.headers),
      ...(bytes && { 'content-length': String(bytes.byteLength) }),
      date: clock.now().toUTCString(),
    };
    return new Response(bytes ?? body, { status, headers });
  }

  function reset(): void {
    resets += 1;
    mock.reset();
    log.reset();
  }
}

/** The status must not be one that a client repeats, or takes for an expired media URL. No server sends this one. */
function resetAnswer(): Response {
  const detail = 'Failed to answer: the mock was reset before its response. Await the request in the same test.';
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
  return Response.json({ detail }, { status: 418, headers });
}
