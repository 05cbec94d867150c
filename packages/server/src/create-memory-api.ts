import { MEDIA_URL_LIFETIME_SECONDS } from '@memory-read/contract';
import { type OperationId, operations } from '@memory-read/contract/operations';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { assertOptions } from './assert-options.ts';
import type { HandlerResult } from './handlers/handler.ts';
import { handlers } from './handlers/handlers.ts';
import { type Answer, type AnsweringFetch, toResponse } from './http/answer.ts';
import { jsonAnswer, problemAnswer } from './http/api-answers.ts';
import { apiKeyInRequest } from './http/api-key-in-request.ts';
import { checkedBasePath } from './http/base-path.ts';
import { callObserver, printError } from './http/observers.ts';
import { hasDotSegment, rawPathOf } from './http/raw-path.ts';
import { createRequestIds } from './http/request-ids.ts';
import type { Authenticate, AuthenticateContext, KeyRefusal } from './ports/authenticate.ts';
import type { Clock } from './ports/clock.ts';
import type { MediaUrlSigner } from './ports/media-url-signer.ts';
import type { MemoryStore } from './ports/memory-store.ts';
import { systemClock } from './system-clock.ts';

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
  const requestIdOf = createRequestIds();

  const router = new RegExpRouter<OperationId>();
  for (const { id, path } of Object.values(operations)) {
    router.add('ALL', basePath + path.replace(/\{(\w+)\}/g, ':$1'), id);
  }
  const fetch = async (request: Request) => toResponse(await answer(request));
  return { fetch: Object.assign(fetch, { answer }) satisfies AnsweringFetch };

  async function answer(request: Request): Promise<Answer> {
    const requestId = requestIdOf(request.headers.get('x-request-id'));
    const answered = await respond(request, requestId).catch((error: unknown) => {
      // Reached only if the clock throws.
      callObserver(() => onError(error, { requestId, operation: null }));
      return problemAnswer('internal-server-error', requestId);
    });
    return request.method === 'HEAD' ? { ...answered, body: null } : answered;
  }

  /**
   * Checks the method, the key, the path and the memory in this order. Section 7 leaves the order open: see
   * docs/decisions.
   */
  async function handle(request: Request, scope: RequestScope): Promise<HandlerResult> {
    const { operation, rawPath } = scope;
    if (operation === null) return { problem: 'route-not-found' };
    if (!readMethods.includes(request.method)) return { problem: 'method-not-allowed' };
    const sent = apiKeyInRequest(request.headers);
    // A key that could not be checked was not refused, so its request has no reason.
    let refused: RequestScope['owner'] = { ...noOwner, reason: 'unknown' };
    if ('problem' in sent) {
      scope.owner = sent.problem === 'missing-api-key' ? { ...noOwner, reason: 'missing' } : refused;
      return sent;
    }
    const owner = await ownerOf(sent.key, (reason, keyId) => {
      refused = { ...noOwner, reason, keyId: keyId ?? null };
    });
    scope.owner = owner ?? refused;
    if (owner === undefined) return { problem: 'invalid-api-key' };
    const { userId } = owner;
    return handlers[operation]({
      store,
      userId,
      rawPath,
      wantsBody: request.method !== 'HEAD',
      mediaUrls: {
        signer: mediaSigner,
        expiresAt: new Date(scope.startedAt + MEDIA_URL_LIFETIME_SECONDS * 1000),
        signal: request.signal,
      },
      signal: request.signal,
      reportError: scope.reportError,
    });
  }

  async function ownerOf(key: string, refuse: AuthenticateContext['refuse']): Promise<KeyOwner | undefined> {
    const account = await authenticate(key, { refuse });
    // Plain JavaScript may return null.
    if (account == null) return undefined;
    const { userId, keyId } = account;
    if (typeof userId === 'string' && userId !== '') return { userId, keyId: keyId ?? null, reason: null };
    throw new TypeError(
      'Failed to authenticate a request: authenticate returned an account without a userId. Return { userId }, or undefined.',
    );
  }

  async function respond(request: Request, requestId: string): Promise<Answer> {
    const { method } = request;
    const rawPath = rawPathOf(request);
    const operation = hasDotSegment(rawPath) ? null : (router.match(method, rawPath)[0][0]?.[0] ?? null);
    const startedAt = clock.now().getTime();
    const reportError = (error: unknown) => {
      // An aborted request is not a failure. Another error after the abort is one.
      if (request.signal.aborted && error === request.signal.reason) return;
      callObserver(() => onError(error, { requestId, operation }));
    };
    const scope: RequestScope = { operation, rawPath, startedAt, owner: noOwner, reportError };
    const outcome = await handle(request, scope).catch((error: unknown): HandlerResult => {
      reportError(error);
      return { problem: 'internal-server-error' };
    });
    const answered =
      'problem' in outcome ? problemAnswer(outcome.problem, requestId) : jsonAnswer(outcome.body, requestId);
    const elapsed = clock.now().getTime() - startedAt;
    const { status } = answered;
    callObserver(() => onRequest?.({ requestId, operation, method, status, elapsed, ...scope.owner }, request));
    return answered;
  }
}

const partsOfApi = {
  authenticate: 'function',
  'store.listMemories': 'function',
  'store.getMemory': 'function',
  'mediaSigner.sign': 'function',
  'clock?.now': 'function',
  'onRequest?': 'function',
  'onError?': 'function',
} as const;

const readMethods = ['GET', 'HEAD'];

interface KeyOwner {
  userId: string;
  keyId: string | null;
  reason: null;
}

const noOwner: Pick<MemoryApiRequestEvent, 'keyId' | 'reason'> & { userId: null } = {
  userId: null,
  keyId: null,
  reason: null,
};

interface RequestScope {
  /** `null` if the path belongs to no operation. */
  operation: OperationId | null;
  /** Path as it was sent. Routers decode leniently, so malformed escapes are checked here. */
  rawPath: string;
  /** Milliseconds since the epoch. The lifetime of the media URLs begins here. */
  startedAt: number;
  /** Without an account until the key is accepted. */
  owner: KeyOwner | typeof noOwner;
  reportError: (error: unknown) => void;
}
