import { createMemories } from '@memory-read/fixtures';
import { createMemoryApi, hashApiKey, type StoredMemory, toStoredMemory } from '@memory-read/server';
import { createAccountControls } from './accounts/account-controls.ts';
import { cutAnswer } from './faults/damaged-answer.ts';
import type { Fault } from './faults/fault.ts';
import { createFaultPlayer, type PlayedRequest } from './faults/fault-player.ts';
import { createFaultSchedule } from './faults/fault-schedule.ts';
import { createMockMedia } from './media/mock-media.ts';
import { createMemoryControls } from './memories/memory-controls.ts';
import { createMockStore } from './memories/mock-store.ts';
import { createMockClock } from './mock-clock.ts';
import { isBelow, optionError, type ResolvedOptions } from './mock-options.ts';
import { authScheme, createRequestLog, loggedHeaders } from './request-log/request-log.ts';
import { decodedPath, type RequestTarget, requestTarget } from './request-log/request-target.ts';

/** The reference server over the memories, keys, clock and media of a mock, without a transport. */
export type MemoryBackend = ReturnType<typeof createMemoryBackend>;

const GENERATED_COUNT = 12;
const GENERATED_NOW = '2026-01-01T12:00:00Z';

export function createMemoryBackend(options: ResolvedOptions) {
  const { baseUrl, mediaUrl, seed, now } = options;
  const basePath = pathOf(baseUrl);
  const store = createMockStore();
  const clock = createMockClock(now);
  const accounts = createAccountControls(`${seed} ${baseUrl}`);
  const memories = createMemoryControls({ store, clock, accountOf: accounts.accountOf });
  const faults = createFaultSchedule(() => store.all());
  const player = createFaultPlayer();
  const log = createRequestLog();
  const requestIds = new WeakMap<Request, string>();
  const createRequestId = (request: Request) => requestIds.get(request) ?? '';
  const media = createMockMedia({ store, mediaUrl, clock, createRequestId });
  const api = createMemoryApi({
    store,
    authenticate: accounts.authenticate,
    mediaSigner: media,
    basePath,
    clock,
    createRequestId,
  });
  const initial = (options.memories ?? generatedMemories()).map((record) =>
    toStoredMemory(accounts.main.userId, record),
  );
  assertDistinct(initial);
  memories.reset(initial);
  let predicateErrors: unknown[] = [];
  const starts = new WeakMap<Request, number>();
  let resets = 0;
  let arrivals = 0;
  return {
    baseUrl,
    mediaUrl,
    clock,
    accounts,
    memories,
    faults,
    log,
    expireMediaUrls: media.expireAll,
    owns,
    begin: (request: Request) => void starts.set(request, resets),
    respond,
    takePredicateErrors,
    reset,
  };

  function generatedMemories() {
    return createMemories({ count: GENERATED_COUNT, seed, now: now === undefined ? GENERATED_NOW : clock.now() });
  }

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
    arrivals += 1;
    // A number of its own for each request that arrives: the order of the responses can change with each run.
    const requestId = `req_${hashApiKey(String(seed)).slice(0, 16)}${arrivals.toString(36).padStart(6, '0')}`;
    const response = await faultyAnswer(request, (sent) => {
      // A delay can be longer than the rest of the processing.
      memories.settle();
      const host = isMedia(sent.url) ? media : api;
      const passed = host === api ? withKey(sent) : sent;
      requestIds.set(passed, requestId);
      return host.fetch(passed);
    });
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
    const { pathname } = new URL(url);
    // A page sends preflights for media, but a service worker does not see them. Tests count the same everywhere.
    if (isMedia(url) && method === 'OPTIONS') return whole(await answer(request), request);
    const target = targetOf(url);
    const fault = faultOf(request, target);
    const settle = log.add({
      ...target,
      memoryId: target.memoryId && accounts.redactKeys(target.memoryId),
      method,
      path: accounts.redactKeys(pathname),
      headers: loggedHeaders(headers, accounts.redactKeys),
      auth: authScheme(headers),
      at: clock.now(),
      fault: fault ?? null,
    });
    // The stalled request must be visible to a test that awaits it.
    if (fault === 'stall') settle(null);
    const { operation } = target;
    const played = await (fault ? player.play(fault, { operation, request, answer }) : answer(request));
    const complete = played && (await whole(played, request, { canStream: isMedia(url) }));
    if (fault !== 'stall') settle(complete?.status ?? null);
    return complete && fault === 'cut' ? cutAnswer(complete) : complete;
  }

  function targetOf(url: string): RequestTarget {
    const { pathname } = new URL(url);
    if (!isMedia(url)) return requestTarget(pathname, basePath);
    const objectKey = decodedPath(pathname.slice(pathOf(mediaUrl).length + 1));
    return { operation: 'media', memoryId: null, kind: null, ...store.findMedia(objectKey) };
  }

  function faultOf(request: Request, target: RequestTarget): Fault | undefined {
    try {
      return faults.take(request, target);
    } catch (error) {
      predicateErrors.push(error);
      throw error;
    }
  }

  /** Creates a new request, because some runtimes cannot reuse the signal of another realm. */
  function withKey(request: Request): Request {
    if (options.auth === 'key') return request;
    const headers = {
      ...Object.fromEntries(request.headers),
      'x-api-key': '',
      authorization: `Bearer ${accounts.main.apiKey}`,
    };
    return new Request(request.url, { method: request.method, headers });
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
    arrivals = 0;
    player.reset();
    clock.reset();
    media.reset();
    accounts.reset();
    faults.clear();
    log.reset();
    memories.reset(initial);
  }
}

/** Rejects duplicates: a store would silently keep only the last one. */
function assertDistinct(memories: readonly StoredMemory[]): void {
  const ids = new Set<string>();
  for (const { id } of memories) {
    if (ids.has(id))
      throw optionError(`memories contains the id ${JSON.stringify(id)} twice`, 'Give each record its own id');
    ids.add(id);
  }
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}

/** The status must not be one that a client repeats, or takes for an expired media URL. No server sends this one. */
function resetAnswer(): Response {
  const detail = 'Failed to answer: the mock was reset before its response. Await the request in the same test.';
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
  return Response.json({ detail }, { status: 418, headers });
}
