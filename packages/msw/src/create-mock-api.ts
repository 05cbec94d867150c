import { createMemories } from '@memory-read/fixtures';
import {
  createMemoryApi,
  hashApiKey,
  type PlainResponse,
  type StoredMemory,
  toStoredMemory,
} from '@memory-read/server';
import { createAccountControls } from './accounts/account-controls.ts';
import { createFaultSchedule } from './faults/create-fault-schedule.ts';
import { createFaultPlayer } from './faults/fault-player.ts';
import { createMockMedia } from './media/mock-media.ts';
import { createMemoryControls } from './memories/memory-controls.ts';
import { createMockStore } from './memories/mock-store.ts';
import { createMockClock } from './mock-clock.ts';
import { optionError, type ResolvedOptions } from './mock-options.ts';
import { decodedPath, type RequestTarget, requestTarget } from './request-log/request-target.ts';

/** The reference server over the memories, keys, clock and media of a mock, without a log. */
export type MockApi = ReturnType<typeof createMockApi>;

/** What a request is sent to. */
export type MockHost = 'api' | 'media';

/** Options of the mock, and what depends on its transport. */
export interface MockApiOptions extends Pick<ResolvedOptions, 'mediaUrl' | 'auth' | 'seed' | 'now' | 'memories'> {
  basePath: string;
  /** Whether the mock is a server, which can play all faults. */
  isServer: boolean;
  /** The text from which keys and the secret of the media URLs are made. */
  identity: string;
  /** Key of the default account. Default: a generated one. */
  apiKey?: string | undefined;
}

const GENERATED_COUNT = 12;
const GENERATED_NOW = '2026-01-01T12:00:00Z';

export function createMockApi(options: MockApiOptions) {
  const { basePath, mediaUrl, identity, seed, now } = options;
  const store = createMockStore();
  const clock = createMockClock(now);
  const accounts = createAccountControls(identity, options.apiKey);
  const memories = createMemoryControls({ store, clock, accountOf: accounts.accountOf });
  const faults = createFaultSchedule({ memories: () => store.all(), isServer: options.isServer });
  const player = createFaultPlayer(clock);
  const requestIds = new WeakMap<Request, string>();
  const createRequestId = (request: Request) => requestIds.get(request) ?? '';
  const media = createMockMedia({ store, mediaUrl, identity, clock, createRequestId });
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
  const mediaPath = pathOf(mediaUrl);
  const idPrefix = `req_${hashApiKey(String(seed)).slice(0, 16)}`;
  let arrivals = 0;
  return {
    clock,
    accounts,
    memories,
    faults,
    player,
    expireMediaUrls: media.expireAll,
    targetOf,
    /** Returns an id of its own for each request that arrives: the order of the responses can change with each run. */
    nextRequestId() {
      arrivals += 1;
      return `${idPrefix}${arrivals.toString(36).padStart(6, '0')}`;
    },
    async answer(request: Request, host: MockHost, requestId: string): Promise<PlainResponse> {
      const sent = prepared(request, host, requestId);
      return host === 'api' ? api.respond(sent) : toPlainResponse(await media.fetch(sent));
    },
    /** Returns the same as `answer`, as a `Response`. With `changed`, the storage has another object. */
    fetch(request: Request, host: MockHost, requestId: string, object?: 'changed'): Promise<Response> {
      const sent = prepared(request, host, requestId);
      return host === 'api' ? api.fetch(sent) : media.fetch(sent, object);
    },
    reset,
  };

  function generatedMemories() {
    return createMemories({ count: GENERATED_COUNT, seed, now: now === undefined ? GENERATED_NOW : clock.now() });
  }

  function targetOf(pathname: string, host: MockHost): RequestTarget {
    if (host === 'api') return requestTarget(pathname, basePath);
    const objectKey = decodedPath(pathname.slice(mediaPath.length + 1));
    return { operation: 'media', memoryId: null, kind: null, ...store.findMedia(objectKey) };
  }

  function prepared(sent: Request, host: MockHost, requestId: string): Request {
    // A delay can be longer than the rest of the processing.
    memories.settle();
    const request = host === 'api' ? withKey(sent) : sent;
    requestIds.set(request, requestId);
    return request;
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
    arrivals = 0;
    player.reset();
    clock.reset();
    media.reset();
    accounts.reset();
    faults.clear();
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

/** Returns a response as a value that can be written to a socket. */
export function toPlainResponse({ status, headers, body }: Response): PlainResponse {
  return { status, headers: Object.fromEntries(headers), body };
}

export function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}
