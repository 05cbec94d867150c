import { MEDIA_URL_LIFETIME_SECONDS } from '@memory-read/contract';
import { type OperationId, operations } from '@memory-read/contract/operations';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import type { HandlerResult } from './handlers/handler.ts';
import { handlers } from './handlers/handlers.ts';
import { type Answer, type AnsweringFetch, toResponse } from './http/answer.ts';
import { jsonAnswer, problemAnswer } from './http/answers.ts';
import { apiKeyInRequest } from './http/api-key-in-request.ts';
import { assertParts } from './http/assert-parts.ts';
import { checkedBasePath } from './http/base-path.ts';
import { callObserver, printError } from './http/observers.ts';
import { rawPathOf } from './http/raw-path.ts';
import { createRequestIds } from './http/request-ids.ts';
import type { Authenticate } from './ports/authenticate.ts';
import type { Clock } from './ports/clock.ts';
import type { MediaUrlSigner } from './ports/media-url-signer.ts';
import type { MemoryStore } from './ports/memory-store.ts';
import { systemClock } from './system-clock.ts';

/** What {@link createMemoryApi} is made of. */
export interface MemoryApiOptions {
  /** Where memories are read from. */
  store: MemoryStore;
  /** Which account a key belongs to. */
  authenticate: Authenticate;
  /** Makes the media URLs, each good for an hour. */
  mediaSigner: MediaUrlSigner;
  /** Path under which the API is mounted, such as `/api`; none by default. */
  basePath?: string | undefined;
  /** The system's clock by default. */
  clock?: Clock | undefined;
  /** Told of each request once its response begins; what it throws is ignored. */
  onRequest?: ((event: MemoryApiRequestEvent) => void) | undefined;
  /**
   * Told of each failure behind a 500 or a broken-off list, but not of callers who leave; by default it is printed with
   * `console.error`.
   */
  onError?: ((error: unknown, context: MemoryApiErrorContext) => void) | undefined;
}

/** A request as {@link MemoryApiOptions.onRequest} sees it: no key, no path, no query. */
export interface MemoryApiRequestEvent {
  requestId: string;
  /** `null` where the path names no operation. */
  operation: OperationId | null;
  method: string;
  status: number;
  /** Milliseconds from the request to the beginning of its response. */
  elapsed: number;
  /** The account that the key belongs to; `null` where no key was accepted. */
  userId: string | null;
}

/** Which request failed. */
export interface MemoryApiErrorContext {
  requestId: string;
  operation: OperationId | null;
}

/** The Memory Read API as one function from request to response, to be mounted anywhere. */
export interface MemoryApi {
  /** Answers one request; never rejects for what is in it. */
  fetch(request: Request): Promise<Response>;
}

/**
 * The Memory Read API over your store, keys and media: every answer as the specification has it.
 *
 * Nothing is read before the key is accepted, and every row's owner is checked again before it leaves. A failure of
 * the store is a 500 and is reported to `onError`; one in the middle of a list breaks the connection off.
 *
 * @throws TypeError when the store, `authenticate`, the signer or the clock is none, or `basePath` is not a plain path.
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
  const { store, authenticate, mediaSigner, clock = systemClock, onRequest, onError = printError } = options;
  const basePath = checkedBasePath(options.basePath ?? '');
  assertParts({ store, authenticate, mediaSigner, clock });
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
      // What is left: a clock that throws.
      callObserver(() => onError(error, { requestId, operation: null }));
      return problemAnswer('internal-server-error', requestId);
    });
    return request.method === 'HEAD' ? { ...answered, body: null } : answered;
  }

  /** Method, then key, path and memory: the order in which section 7 leaves the checks, decided in docs/decisions. */
  async function handle(request: Request, scope: RequestScope): Promise<HandlerResult> {
    const { operation, rawPath } = scope;
    if (operation === null) return { problem: 'route-not-found' };
    if (!readMethods.includes(request.method)) return { problem: 'method-not-allowed' };
    const sent = apiKeyInRequest(request.headers);
    if ('problem' in sent) return sent;
    const userId = await ownerOf(sent.key);
    if (userId === undefined) return { problem: 'invalid-api-key' };
    scope.userId = userId;
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

  async function ownerOf(key: string): Promise<string | undefined> {
    const account = await authenticate(key);
    // Plain JavaScript may say null.
    if (account == null) return undefined;
    if (typeof account.userId === 'string' && account.userId !== '') return account.userId;
    throw new TypeError(
      'Failed to authenticate: because authenticate returned an account without a userId. Return { userId }, or undefined.',
    );
  }

  async function respond(request: Request, requestId: string): Promise<Answer> {
    const { method } = request;
    const rawPath = rawPathOf(request);
    const operation = router.match(method, rawPath)[0][0]?.[0] ?? null;
    const startedAt = clock.now().getTime();
    const reportError = (error: unknown) => {
      // That the caller has left is no failure; what fails after that still is one.
      if (request.signal.aborted && error === request.signal.reason) return;
      callObserver(() => onError(error, { requestId, operation }));
    };
    const scope: RequestScope = { operation, rawPath, startedAt, userId: null, reportError };
    const outcome = await handle(request, scope).catch((error: unknown): HandlerResult => {
      reportError(error);
      return { problem: 'internal-server-error' };
    });
    const answered =
      'problem' in outcome ? problemAnswer(outcome.problem, requestId) : jsonAnswer(outcome.body, requestId);
    const elapsed = clock.now().getTime() - startedAt;
    const { status } = answered;
    callObserver(() => onRequest?.({ requestId, operation, method, status, elapsed, userId: scope.userId }));
    return answered;
  }
}

const readMethods = ['GET', 'HEAD'];

interface RequestScope {
  /** `null` where the path names none. */
  operation: OperationId | null;
  /** Routers decode leniently; whether a path is malformed has to be judged on what was sent. */
  rawPath: string;
  /** Milliseconds since the epoch; the hour of the media URLs begins here. */
  startedAt: number;
  /** Known once the key is accepted. */
  userId: string | null;
  reportError: (error: unknown) => void;
}
