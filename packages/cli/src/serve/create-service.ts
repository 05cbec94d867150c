import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { createMediaHost, createMemoryApi, type MediaHostOptions, type MemoryApiOptions } from '@memory-read/server';
import { renderReferencePage } from '../reference-page/render-reference-page.ts';
import { createRoutedFetch, type RoutedFetch } from './create-routed-fetch.ts';
import { requestIdOf } from './request-id.ts';
import { htmlPage, jsonResponse, methodNotAllowed, redirect } from './responses.ts';
import { withTimeout } from './with-timeout.ts';

/** Options of {@link createService}. */
export interface ServiceOptions extends Pick<MemoryApiOptions, 'store' | 'authenticate' | 'mediaSigner'> {
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
export function createService(options: ServiceOptions): Service {
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
  const { publicUrl, store, authenticate, mediaSigner, onError } = options;
  const api = createMemoryApi({ store, authenticate, mediaSigner, basePath, onError });
  const mediaPath = `${basePath}/media`;
  // Pages of other origins may play the media, because the signature in the URL is the only credential.
  const mediaHost =
    options.mediaHost && createMediaHost({ ...options.mediaHost, basePath: mediaPath, cors: true, onError });
  const openApi = buildOpenApiDocument({ serverUrl: publicUrl });
  const pages: Record<string, Page> = {
    '': () => redirect(`${publicUrl}/docs`),
    '/': () => redirect(`${publicUrl}/docs`),
    '/docs': htmlPage(renderReferencePage(openApi)),
    '/openapi.json': () => jsonResponse(200, openApi),
    '/healthz': () => jsonResponse(200, { status: 'ok' }),
    '/readyz': (requestId) => readiness(options, requestId),
  };

  return (request) => {
    const path = pathOf(request);
    if (mediaHost && path.startsWith(`${mediaPath}/`)) return mediaHost.fetch;
    const page = pages[path.slice(basePath.length)];
    return page === undefined ? api.fetch : fetchOf(page);
  };
}

type Page = (requestId: string) => Response | Promise<Response>;

function fetchOf(page: Page): RoutedFetch {
  return async (request) => {
    const requestId = requestIdOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const response = isRead ? await page(requestId) : methodNotAllowed();
    response.headers.set('x-request-id', requestId);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
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
