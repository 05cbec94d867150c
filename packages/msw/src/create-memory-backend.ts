import { createMemories } from '@memory-read/fixtures';
import { createMemoryApi, type StoredMemory, toStoredMemory } from '@memory-read/server';
import { createAccountControls } from './accounts/account-controls.ts';
import type { Fault } from './faults/fault.ts';
import { createFaultPlayer } from './faults/fault-player.ts';
import { createFaultSchedule } from './faults/fault-schedule.ts';
import { createMockMedia } from './media/mock-media.ts';
import { createMemoryControls } from './memories/memory-controls.ts';
import { createMockStore } from './memories/mock-store.ts';
import { createMockClock } from './mock-clock.ts';
import { isBelow, optionError, type ResolvedOptions } from './mock-options.ts';
import { authScheme, createRequestLog } from './request-log/request-log.ts';
import { type RequestTarget, requestTarget } from './request-log/request-target.ts';

/** Why there is no response: a fault or an aborted request, or a reset of the mock meanwhile. */
export type ResponseFailure = 'network-error' | 'reset';

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
  const faults = createFaultSchedule(() => store.all().map(({ id }) => id));
  const player = createFaultPlayer();
  const log = createRequestLog();
  const media = createMockMedia({ store, mediaUrl, clock });
  const api = createMemoryApi({
    store,
    authenticate: accounts.authenticate,
    mediaSigner: media,
    basePath,
    clock,
  });
  const initial = (options.memories ?? generatedMemories()).map((record) =>
    toStoredMemory(accounts.main.userId, record),
  );
  assertDistinct(initial);
  memories.reset(initial);
  let predicateErrors: unknown[] = [];
  let resets = 0;
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
   * Returns the response with its whole body, unless the network fails.
   *
   * @throws what a predicate of a fault throws.
   */
  async function respond(request: Request): Promise<Response | ResponseFailure> {
    const resetsBefore = resets;
    memories.settle();
    const answer = isMedia(request.url) ? await media.fetch(request) : await answerOfApi(request);
    const response = answer && (await whole(answer, { now: clock.now(), method: request.method }));
    if (resets > resetsBefore) return 'reset';
    return response ?? 'network-error';
  }

  /** Returns the errors that predicates of the test have thrown since the last call. */
  function takePredicateErrors(): unknown[] {
    const taken = predicateErrors;
    predicateErrors = [];
    return taken;
  }

  async function answerOfApi(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const target = requestTarget(pathname, basePath);
    const fault = faultOf(request, target);
    const { method, headers } = request;
    const settle = log.add({
      operation: target.operation,
      memoryId: target.memoryId && accounts.redactKeys(target.memoryId),
      method,
      path: accounts.redactKeys(pathname),
      auth: authScheme(headers),
      at: clock.now(),
      fault: fault ?? null,
    });
    // The stalled request must be visible to a test that awaits it.
    if (fault === 'stall') settle(null);
    const answer = () => {
      // A delay can be longer than the rest of the processing.
      memories.settle();
      return api.fetch(withKey(request));
    };
    const response = await (fault ? player.play(fault, { ...target, request, answer }) : answer());
    if (fault !== 'stall') settle(response?.status ?? null);
    return response;
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

  function reset(): void {
    resets += 1;
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

/**
 * MSW hides stream failures and lengths. Without a length, a client waits until the connection ends. A server also
 * sends its time. Media have a length and can be long, so they stay a stream.
 */
async function whole(response: Response, { now, method }: { now: Date; method: string }): Promise<Response> {
  const { status } = response;
  const body = method === 'HEAD' ? null : response.body;
  const isMedia = response.headers.has('accept-ranges');
  const bytes = body === null || isMedia ? undefined : await response.arrayBuffer();
  // MSW 2 replaces Headers by a class that does not always accept another instance.
  const headers = {
    ...Object.fromEntries(response.headers),
    ...(bytes && { 'content-length': String(bytes.byteLength) }),
    date: now.toUTCString(),
  };
  return new Response(bytes ?? body, { status, headers });
}
