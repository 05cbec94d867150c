import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { createMediaHost, createMemoryApi, type MediaHostOptions, type MemoryApiOptions } from '@memory-read/server';
import { renderReferencePage } from '../reference-page/render-reference-page.ts';
import { requestIdOf } from './request-id.ts';
import { htmlPage, jsonResponse, methodNotAllowed, redirect } from './responses.ts';
import { withTimeout } from './with-timeout.ts';

/** What {@link createService} is made of. */
export interface ServiceOptions extends Pick<MemoryApiOptions, 'store' | 'authenticate' | 'mediaSigner'> {
  /** Root under which clients reach the service, without a slash at its end. */
  publicUrl: string;
  /** What media are served from; nothing when their URLs lead elsewhere. */
  mediaHost?: Pick<MediaHostOptions, 'source' | 'secrets'> | undefined;
  /** Rejects when requests cannot be answered for now. */
  checkReadiness: () => Promise<unknown>;
  onError: (error: unknown, context: { requestId?: string | undefined; operation?: string | null | undefined }) => void;
}

/** Everything that is served, as one function from request to response. */
export interface Service {
  fetch: Fetch;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * The API with all that stands beside it: media, the OpenAPI document, the reference page and two health checks.
 *
 * Where the public URL has a path, both are answered, the paths below it and those at the root: some proxies cut
 * their prefix off, others do not.
 */
export function createService(options: ServiceOptions): Service {
  const prefix = new URL(options.publicUrl).pathname.replace(/\/$/, '');
  const atRoot = createMount(options, '');
  if (prefix === '') return { fetch: atRoot };
  const atPrefix = createMount(options, prefix);
  return {
    fetch(request) {
      const path = pathOf(request);
      return path === prefix || path.startsWith(`${prefix}/`) ? atPrefix(request) : atRoot(request);
    },
  };
}

function createMount(options: ServiceOptions, basePath: string): Fetch {
  const { publicUrl, store, authenticate, mediaSigner, onError } = options;
  const api = createMemoryApi({ store, authenticate, mediaSigner, basePath, onError });
  const mediaPath = `${basePath}/media`;
  // Pages of other origins play the media with `crossorigin`: the signature in the URL is all that counts.
  const mediaHost =
    options.mediaHost && createMediaHost({ ...options.mediaHost, basePath: mediaPath, cors: true, onError });
  const openApi = buildOpenApiDocument({ serverUrl: publicUrl });
  const pages: Record<string, (requestId: string) => Response | Promise<Response>> = {
    '': () => redirect(`${publicUrl}/docs`),
    '/': () => redirect(`${publicUrl}/docs`),
    '/docs': htmlPage(renderReferencePage(openApi)),
    '/openapi.json': () => jsonResponse(200, openApi),
    '/healthz': () => jsonResponse(200, { status: 'ok' }),
    '/readyz': (requestId) => readiness(options, requestId),
  };

  return async (request) => {
    const path = pathOf(request);
    if (mediaHost && path.startsWith(`${mediaPath}/`)) return mediaHost.fetch(request);
    const page = pages[path.slice(basePath.length)];
    if (page === undefined) return api.fetch(request);
    const requestId = requestIdOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const response = isRead ? await page(requestId) : methodNotAllowed();
    response.headers.set('x-request-id', requestId);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}

/** Shorter than health checks wait, so that they learn the reason, too. */
const readinessTimeoutMs = 2_000;

async function readiness({ checkReadiness, onError }: ServiceOptions, requestId: string): Promise<Response> {
  try {
    await withTimeout(checkReadiness(), readinessTimeoutMs);
    return jsonResponse(200, { status: 'ok' });
  } catch (error) {
    onError(error, { requestId, operation: 'readyz' });
    return jsonResponse(503, { status: 'unavailable' });
  }
}

/** Without parsing the whole URL, which every request would pay for. */
function pathOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
