import { problemResponse } from '../http/answers.ts';
import { checkedBasePath } from '../http/base-path.ts';
import { callObserver, printError } from '../http/observers.ts';
import { createRequestIds } from '../http/request-ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { MediaSource } from '../ports/media-source.ts';
import { systemClock } from '../system-clock.ts';
import { judgeMediaUrl } from './judge-media-url.ts';
import { createCorsHeaders, type MediaCors, preflightHeaders } from './media-cors.ts';
import { createMediaKeyring, type MediaSecret } from './media-keyring.ts';
import { type MediaResponseContext, mediaResponse } from './media-response.ts';

/** What {@link createMediaHost} is made of. */
export interface MediaHostOptions {
  /** Where the bytes are read from. */
  source: MediaSource;
  /** The secrets of the signer; keep a retired one here for an hour. */
  secrets: readonly MediaSecret[];
  /** Path under which the host is mounted, such as `/media`; none by default. */
  basePath?: string | undefined;
  /** The system's clock by default. */
  clock?: Clock | undefined;
  /** Lets scripts of other pages read the media: `true` for all, or those of some origins; none by default. Players need no leave. */
  cors?: MediaCors | undefined;
  /** Told of each failure behind a 500 or a broken-off body; what it throws is ignored. By default it is printed with `console.error`. */
  onError?: ((error: unknown, context: { requestId: string }) => void) | undefined;
}

/** The media behind signed URLs as one function from request to response, to be mounted anywhere. */
export interface MediaHost {
  /** Answers a request for a signed URL. */
  fetch(request: Request): Promise<Response>;
}

/**
 * Serves media to whoever holds a URL of `createHmacMediaSigner`, until it expires.
 *
 * Answers GET and HEAD, single byte ranges and conditional requests, as players and resumed downloads need them. The
 * source is asked only after a URL is found valid, so nothing tells without one which objects exist. A failure of the
 * source is a 500; once bytes were sent it errors the body, and so breaks the connection off.
 *
 * @throws TypeError when a secret, the base path or an origin cannot be used.
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
  const { source, clock = systemClock, cors = false, onError = printError } = options;
  const basePath = checkedBasePath(options.basePath ?? '');
  const keyring = createMediaKeyring(options.secrets);
  const corsHeadersOf = createCorsHeaders(cors);
  const requestIdOf = createRequestIds();
  const allowedMethods = cors === false ? ['GET', 'HEAD'] : ['GET', 'HEAD', 'OPTIONS'];

  return {
    async fetch(request) {
      const requestId = requestIdOf(request.headers.get('x-request-id'));
      const reportError = (error: unknown) => callObserver(() => onError(error, { requestId }));
      const response = await answer(request, { requestId, reportError }).catch((error: unknown) => {
        reportError(error);
        return problemResponse('internal-server-error', requestId);
      });
      const corsHeaders = corsHeadersOf(request.headers.get('origin'));
      for (const [name, value] of Object.entries({ ...protectiveHeaders, ...corsHeaders })) {
        response.headers.set(name, value);
      }
      response.headers.set('x-request-id', requestId);
      if (response.status === 405) response.headers.set('allow', allowedMethods.join(', '));
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };

  async function answer(request: Request, scope: RequestScope): Promise<Response> {
    const { requestId } = scope;
    const { pathname, search } = new URL(request.url);
    if (!isBelow(basePath, pathname)) return problemResponse('route-not-found', requestId);
    if (!allowedMethods.includes(request.method)) return problemResponse('method-not-allowed', requestId);
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflightHeaders });

    const now = clock.now().getTime();
    const verdict = judgeMediaUrl(pathname.slice(basePath.length) + search, keyring, now);
    if ('problem' in verdict) return problemResponse(verdict.problem, requestId);
    const { objectKey, contentType, expires } = verdict.grant;
    const object = await source.open(objectKey);
    if (object === undefined) return problemResponse('media-not-found', requestId);
    const maxAge = Math.floor(expires - now / 1000);
    return mediaResponse(object, request, { contentType, maxAge, ...scope });
  }
}

type RequestScope = Pick<MediaResponseContext, 'requestId' | 'reportError'>;

// Whatever the bytes are, a browser neither guesses their type nor runs them nor passes their URL on.
const protectiveHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
};

function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(`${basePath}/`) && path.length > basePath.length + 1;
}
