import { systemClock } from '@memory-read/contract/date-time';
import { quietly } from '@memory-read/contract/event-loop';
import { assertOptions } from '../assert-options.ts';
import { printError, reportFailure } from '../http/observers.ts';
import { type PlainResponse, problemResponse, toResponse, withoutBody } from '../http/plain-response.ts';
import { createRequestIds } from '../http/request-ids.ts';
import { checkedBasePath, hasDotSegment } from '../http/request-path.ts';
import type { Clock } from '../ports/clock.ts';
import type { MediaSource } from '../ports/media-source.ts';
import { judgeMediaUrl, type MediaRefusalEvent } from './judge-media-url.ts';
import { createCorsHeaders, type MediaCors, preflightHeaders } from './media-cors.ts';
import { createMediaKeyring, type MediaSecret } from './media-keyring.ts';
import { type MediaResponseContext, mediaResponse } from './media-response.ts';

/** Options of {@link createMediaHost}. */
export interface MediaHostOptions {
  /** Source that the bytes are read from. */
  source: MediaSource;
  /** Secrets of the signer. Keep a retired secret here for one hour, until its URLs have expired. */
  secrets: readonly MediaSecret[];
  /** Path under which the host is mounted, such as `/media`. Default: none. */
  basePath?: string | undefined;
  /** Clock that decides whether a URL has expired. Default: the clock of the machine. */
  clock?: Clock | undefined;
  /** Origins whose scripts may read the media: `true` for all. Players need no permission. Default: none (`false`). */
  cors?: MediaCors | undefined;
  /**
   * Function that creates the `X-Request-Id` of a request that sent no valid one. It must not throw. Default: ids from
   * a random prefix and a counter.
   */
  createRequestId?: ((request: Request) => string) | undefined;
  /**
   * Callback that receives each failure behind a 500 or a cut-off body. An error that it throws is ignored. Default:
   * `console.error`.
   */
  onError?: ((error: unknown, context: { requestId: string }) => void) | undefined;
  /**
   * Callback that receives each request whose URL is refused. An error that it throws is ignored. Default: none.
   *
   * `request` is the one that `fetch` got. Its URL can contain a valid signature: do not log its query.
   */
  onRefuse?: ((event: MediaRefusalEvent, request: Request) => void) | undefined;
}

/** The media behind signed URLs as a `fetch` function. You can mount it on any HTTP server. */
export interface MediaHost {
  /** Returns the response to a request for a signed URL. It never rejects. */
  fetch(request: Request): Promise<Response>;
}

/**
 * Creates the media host: it serves the URLs of {@link createHmacMediaSigner} until they expire.
 *
 * It supports GET, HEAD, single byte ranges and conditional requests, which players and resumed downloads need. The
 * source is read only if the URL is valid, so an invalid URL does not reveal which objects exist. If the source fails,
 * the response is a 500. If it fails after bytes were sent, the connection is closed.
 *
 * @throws TypeError if a secret, the base path or an origin is invalid.
 *
 * @see Section 2.1.1 of the specification.
 *
 * @example
 * ```ts
 * const mediaHost = createMediaHost({ source, secrets });
 * const response = await mediaHost.fetch(new Request(url, { headers: { range: 'bytes=0-43' } }));
 * console.log(response.status, response.headers.get('content-range'));
 * ```
 */
export function createMediaHost(options: MediaHostOptions): MediaHost {
  assertOptions('create a media host', options, partsOfHost, 'Pass { source, secrets }');
  const { source, clock = systemClock, cors = false, onError = printError, onRefuse } = options;
  const basePath = checkedBasePath(options.basePath ?? '');
  const keyring = createMediaKeyring(options.secrets);
  const corsHeadersOf = createCorsHeaders(cors);
  const requestIdOf = createRequestIds(options.createRequestId);
  const allowedMethods = cors === false ? ['GET', 'HEAD'] : ['GET', 'HEAD', 'OPTIONS'];

  return {
    async fetch(request) {
      const requestId = requestIdOf(request.headers.get('x-request-id'), request);
      const reportError = (error: unknown) => reportFailure(request, () => onError(error, { requestId }));
      const send = (response: PlainResponse) => {
        const headers = {
          ...response.headers,
          ...protectiveHeaders,
          ...corsHeadersOf(request.headers.get('origin')),
          'x-request-id': requestId,
          ...(response.status === 405 && { allow: allowedMethods.join(', ') }),
        };
        return toResponse({ ...(request.method === 'HEAD' ? withoutBody(response) : response), headers });
      };
      try {
        return await send(await respond(request, { requestId, reportError }));
      } catch (error) {
        // The tag of a source can be invalid as a header, too.
        reportError(error);
        return send(problemResponse('internal-server-error', requestId));
      }
    },
  };

  async function respond(request: Request, scope: RequestScope): Promise<PlainResponse> {
    const { requestId } = scope;
    const { pathname, search } = new URL(request.url);
    if (!isBelow(basePath, pathname) || hasDotSegment(request.url))
      return problemResponse('route-not-found', requestId);
    if (!allowedMethods.includes(request.method)) return problemResponse('method-not-allowed', requestId);
    if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: null };

    const now = clock.now().getTime();
    const verdict = judgeMediaUrl(pathname.slice(basePath.length) + search, keyring, now);
    if ('problem' in verdict) {
      const { problem, reason } = verdict;
      quietly(() => onRefuse?.({ requestId, reason }, request));
      return problemResponse(problem, requestId);
    }
    const { objectKey, contentType, expires } = verdict.grant;
    const { signal } = request;
    const object = await source.open(objectKey, { signal });
    // A stream that was not begun need not be cancelled.
    signal.throwIfAborted();
    if (object === undefined) return problemResponse('media-not-found', requestId);
    const maxAge = Math.floor(expires - now / 1000);
    return mediaResponse(object, request, { contentType, maxAge, signal, ...scope });
  }
}

const partsOfHost = {
  'source.open': 'function',
  secrets: 'array',
  'basePath?': 'any',
  'clock?.now': 'function',
  'cors?': 'any',
  'createRequestId?': 'function',
  'onError?': 'function',
  'onRefuse?': 'function',
} as const;

type RequestScope = Pick<MediaResponseContext, 'requestId' | 'reportError'>;

// A browser must not guess the type of the bytes, run them, or pass on their URL.
const protectiveHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
};

function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(`${basePath}/`) && path.length > basePath.length + 1;
}
