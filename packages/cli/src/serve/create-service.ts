import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { createMediaHost, createMemoryApi, type MediaHostOptions, type MemoryApiOptions } from '@memory-read/server';
import { renderReferencePage } from '../reference-page/render-reference-page.ts';
import { createRoutedFetch, type RoutedFetch } from './create-routed-fetch.ts';
import { requestIdOf } from './request-id.ts';
import { type FixedPage, htmlPage, jsonPage, jsonResponse, methodNotAllowed, redirect } from './responses.ts';
import { shareCheck } from './share-check.ts';
import { withTimeout } from './with-timeout.ts';

/** Options of {@link createService}. */
export interface ServiceOptions
  extends Pick<MemoryApiOptions, 'store' | 'authenticate' | 'mediaSigner' | 'onRequest'>,
    Pick<MediaHostOptions, 'onRefuse'> {
  /** Public root URL of the service, without a trailing slash. */
  publicUrl: string;
  /** Source of the media; undefined if their URLs point to another host. */
  mediaHost?: Pick<MediaHostOptions, 'source' | 'secrets'> | undefined;
  /** Rejects while requests cannot be answered. */
  checkReadiness: () => Promise<unknown>;
  onError: (error: unknown, context: { requestId?: string | undefined; operation?: string | null | undefined }) => void;
}

/** The service as a `fetch` function. */
export interface Service {
  fetch: RoutedFetch;
}

/**
 * Serves the API, media, the OpenAPI document, the reference page and two health checks.
 *
 * If the public URL has a path, requests below it and at the root are both answered: some proxies remove their prefix,
 * others do not.
 */
export function createService(serviceOptions: ServiceOptions): Service {
  const options = { ...serviceOptions, checkReadiness: shareCheck(serviceOptions.checkReadiness) };
  const prefix = new URL(options.publicUrl).pathname.replace(/\/$/, '');
  const atRoot = createMount(options, '');
  if (prefix === '') return { fetch: createRoutedFetch(atRoot) };
  const atPrefix = createMount(options, prefix);
  const route: Route = (request) => {
    const path = pathOf(request);
    return path === prefix || path.startsWith(`${prefix}/`) ? atPrefix(request) : atRoot(request);
  };
  return { fetch: createRoutedFetch(route) };
}

type Route = (request: Request) => RoutedFetch;

function createMount(options: ServiceOptions, basePath: string): Route {
  const { publicUrl, store, authenticate, mediaSigner, onRequest, onRefuse, onError } = options;
  const api = createMemoryApi({ store, authenticate, mediaSigner, basePath, onRequest, onError });
  const mediaPath = `${basePath}/media`;
  // Pages of other origins may play the media, because the signature in the URL is the only credential.
  const mediaHost =
    options.mediaHost &&
    createMediaHost({
      ...options.mediaHost,
      basePath: mediaPath,
      cors: true,
      onRefuse,
      onError: (error, { requestId }) => onError(error, { requestId, operation: 'media' }),
    });
  const openApi = buildOpenApiDocument({ serverUrl: publicUrl });
  const toDocs = fetchOf(() => redirect(`${publicUrl}/docs`));
  const pages: Record<string, RoutedFetch> = {
    '': toDocs,
    '/': toDocs,
    '/docs': fetchFixed(htmlPage(renderReferencePage(openApi))),
    '/openapi.json': fetchFixed(jsonPage(openApi)),
    '/healthz': fetchOf(() => jsonResponse(200, { status: 'ok' })),
    '/readyz': fetchOf((requestId) => readiness(options, requestId)),
  };

  return (request) => {
    const path = pathOf(request);
    if (mediaHost && path.startsWith(`${mediaPath}/`)) return mediaHost.fetch;
    return pages[path.slice(basePath.length)] ?? api.fetch;
  };
}

type Page = (requestId: string) => Response | Promise<Response>;

function fetchOf(page: Page): RoutedFetch {
  return async (request) => {
    const requestId = requestIdOf(request);
    const response = isRead(request) ? await page(requestId) : methodNotAllowed();
    response.headers.set('x-request-id', requestId);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}

function fetchFixed({ headers, bytes }: FixedPage): RoutedFetch {
  const headersFor = (request: Request) => ({ ...headers, 'x-request-id': requestIdOf(request) });
  const fetch = fetchOf(() => new Response(bytes, { headers: { ...headers, 'content-length': `${bytes.length}` } }));
  // `serve` writes the bytes themselves. A `Response` would copy them for each request.
  const answer = async (request: Request) =>
    isRead(request) ? { status: 200, headers: headersFor(request), body: [bytes] } : fetch(request);
  return Object.assign(fetch, { answer });
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Shorter than the timeout of health checks, so that they receive the reason. */
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

/** Reads the path without parsing the whole URL, which is slow. */
function pathOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
