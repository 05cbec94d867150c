import { MEDIA_URL_LIFETIME_SECONDS } from '@memory-read/contract';
import { systemClock } from '@memory-read/contract/date-time';
import { quietly } from '@memory-read/contract/event-loop';
import type { OperationId } from '@memory-read/contract/operations';
import { assertOptions } from './assert-options.ts';
import type { HandlerResult } from './handlers/handler.ts';
import { handlers } from './handlers/handlers.ts';
import { apiKeyInRequest } from './http/api-key-in-request.ts';
import { printError, reportFailure } from './http/observers.ts';
import { jsonResponse, type PlainResponse, problemResponse, toResponse, withoutBody } from './http/plain-response.ts';
import { createRequestIds } from './http/request-ids.ts';
import { checkedBasePath, createRoutes } from './http/request-path.ts';
import type { Authenticate, KeyRefusal } from './ports/authenticate.ts';
import type { Clock } from './ports/clock.ts';
import type { MediaUrlSigner } from './ports/media-url-signer.ts';
import type { MemoryStore } from './ports/memory-store.ts';

/** Options of {@link createMemoryApi}. */
export interface MemoryApiOptions {
  /** Store that memories are read from. */
  store: MemoryStore;
  /** Function that finds the account of an API key. See {@link apiKeyAuthenticator}. */
  authenticate: Authenticate;
  /** Signer of the media URLs. Each URL expires one hour after the request. */
  mediaSigner: MediaUrlSigner;
  /** Path under which the API is mounted, such as `/api`. Default: none. */
  basePath?: string | undefined;
  /** Clock for expiry times and for `elapsed`. Default: the clock of the machine. */
  clock?: Clock | undefined;
  /**
   * Function that creates the `X-Request-Id` of a request that sent no valid one. It must not throw. Default: ids from
   * a random prefix and a counter.
   */
  createRequestId?: ((request: Request) => string) | undefined;
  /**
   * Callback that receives each request when its response begins. An error that it throws is ignored. Default:
   * none.
   *
   * `request` is the one that `fetch` got. Callers choose and repeat `requestId`, so use the identity of `request` to find
   * a request again, for example in `onEnd` of `serve`. It contains the API key: do not log its headers.
   */
  onRequest?: ((event: MemoryApiRequestEvent, request: Request) => void) | undefined;
  /**
   * Callback that receives each failure behind a 500 or a cut-off list. A request that the caller aborts is not
   * reported. Default: `console.error`.
   */
  onError?: ((error: unknown, context: MemoryApiErrorContext) => void) | undefined;
}

/** A request as {@link MemoryApiOptions.onRequest} receives it. It holds no API key, no path and no query. */
export interface MemoryApiRequestEvent {
  /** Value of `X-Request-Id`: the one that the caller sent, or a new one. */
  requestId: string;
  /** Operation of the path. `null` if the path belongs to no operation. */
  operation: OperationId | null;
  /** HTTP method, such as `GET`. */
  method: string;
  /** Status of the response. */
  status: number;
  /** Time from the request to the beginning of its response, in milliseconds. */
  elapsed: number;
  /** Account of the API key. `null` if no key was accepted. */
  userId: string | null;
  /** Id of the API key, even if it is revoked or expired. `null` if `authenticate` names none. */
  keyId: string | null;
  /** Why no key was accepted. `null` if one was, or if the request needs none. */
  reason: KeyRefusal | null;
}

/** The request in which an error occurred. */
export interface MemoryApiErrorContext {
  /** Value of `X-Request-Id`: the one that the caller sent, or a new one. */
  requestId: string;
  /** Operation of the path. `null` if the path belongs to no operation. */
  operation: OperationId | null;
}

/** The Memory Read API as a `fetch` function. You can mount it on any HTTP server. */
export interface MemoryApi {
  /**
   * Returns the response to a request. It never rejects.
   *
   * A path with a segment `.` or `..` is a 404 if `request.url` shows it. Deno passes the path as it was sent. Bun and
   * other hosts resolve such segments before they call `fetch`. `serve` checks the path before Node's URL parser does.
   */
  fetch(request: Request): Promise<Response>;
  /**
   * Returns the same as `fetch`, as a plain value: `serve({ fetch: api.respond, … })` answers more requests a second than
   * with `api.fetch`, because Node's `Response` is slow to create and to read. It never rejects.
   */
  respond(request: Request): Promise<PlainResponse>;
}

/**
 * Creates the Memory Read API over your store, API keys and media.
 *
 * The store is read only after the API key is accepted. The owner of each memory is checked again before it is sent. If
 * the store fails, the response is a 500 and `onError` receives the error. If it fails in the middle of a list, the
 * connection is closed.
 *
 * @throws TypeError if the store, `authenticate`, the signer or the clock lacks a method, or `basePath` is invalid.
 *
 * @see Sections 4, 5 and 7 of the specification.
 *
 * @example
 * ```ts
 * const api = createMemoryApi({ store, authenticate, mediaSigner });
 * const request = new Request('http://localhost/v1/memories', { headers: { 'x-api-key': key } });
 * const response = await api.fetch(request);
 * ```
 */
export function createMemoryApi(options: MemoryApiOptions): MemoryApi {
  assertOptions('create the API', options, partsOfApi, 'Pass { store, authenticate, mediaSigner }');
  const { store, authenticate, mediaSigner, clock = systemClock, onRequest, onError = printError } = options;
  const basePath = checkedBasePath(options.basePath ?? '');
  const requestIdOf = createRequestIds(options.createRequestId);
  const routes = createRoutes(basePath);
  return { respond, fetch: async (request) => toResponse(await respond(request)) };

  async function respond(request: Request): Promise<PlainResponse> {
    const { method } = request;
    const requestId = requestIdOf(request.headers.get('x-request-id'), request);
    const { operation, segment } = routes(request.url);
    const reportError = (error: unknown) => reportFailure(request, () => onError(error, { requestId, operation }));
    const caller: Caller = { userId: null, keyId: null, reason: null };
    let startedAt = Number.NaN;
    let result: HandlerResult;
    try {
      startedAt = clock.now().getTime();
      result = await handle({ request, operation, segment, startedAt, caller, reportError });
    } catch (error) {
      reportError(error);
      result = { problem: 'internal-server-error' };
    }
    const response =
      'problem' in result ? problemResponse(result.problem, requestId) : jsonResponse(result.body, requestId);
    if (onRequest !== undefined) {
      const { status } = response;
      const report = () => {
        const elapsed = clock.now().getTime() - startedAt;
        return onRequest({ requestId, operation, method, status, elapsed, ...caller }, request);
      };
      quietly(report);
    }
    return method === 'HEAD' ? withoutBody(response) : response;
  }

  /**
   * Checks the method, the key, the path and the memory in this order. Section 7 leaves the order open: see
   * docs/decisions.
   */
  async function handle(scope: RequestScope): Promise<HandlerResult> {
    const { request, operation, segment, startedAt, caller, reportError } = scope;
    const { method, headers, signal } = request;
    if (operation === null) return { problem: 'route-not-found' };
    if (method !== 'GET' && method !== 'HEAD') return { problem: 'method-not-allowed' };

    const sent = apiKeyInRequest(headers);
    if ('problem' in sent) {
      caller.reason = sent.problem === 'missing-api-key' ? 'missing' : 'unknown';
      return sent;
    }
    // A key that could not be checked was not refused, so its request has no reason.
    let refusal: Partial<Caller> = { reason: 'unknown' };
    const account = await authenticate(sent.key, {
      signal,
      refuse: (reason, keyId) => {
        refusal = { reason, keyId: keyId ?? null };
      },
    });
    // Plain JavaScript may return null.
    if (account == null) {
      Object.assign(caller, refusal);
      return { problem: 'invalid-api-key' };
    }
    const { userId, keyId = null } = account;
    if (typeof userId !== 'string' || userId === '') {
      throw new TypeError(
        'Failed to authenticate a request: authenticate returned an account without a userId. Return { userId }, or undefined.',
      );
    }
    Object.assign(caller, { userId, keyId });
    return handlers[operation]({
      store,
      userId,
      segment,
      wantsBody: method !== 'HEAD',
      mediaUrls: {
        signer: mediaSigner,
        expiresAt: new Date(startedAt + MEDIA_URL_LIFETIME_SECONDS * 1000),
        signal,
      },
      signal,
      reportError,
    });
  }
}

const partsOfApi = {
  authenticate: 'function',
  'store.listMemories': 'function',
  'store.getMemory': 'function',
  'mediaSigner.sign': 'function',
  'basePath?': 'any',
  'clock?.now': 'function',
  'createRequestId?': 'function',
  'onRequest?': 'function',
  'onError?': 'function',
} as const;

type Caller = Pick<MemoryApiRequestEvent, 'userId' | 'keyId' | 'reason'>;

interface RequestScope {
  request: Request;
  /** `null` if the path belongs to no operation. */
  operation: OperationId | null;
  /** The parameter of the path, as it was sent. Empty if the path has none. */
  segment: string;
  /** Milliseconds since the epoch. The lifetime of the media URLs begins here. */
  startedAt: number;
  /** Receives the account of the key, or why no account was found. */
  caller: Caller;
  reportError: (error: unknown) => void;
}
