import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { isRequestId } from '@memory-read/contract/operations';
import {
  createMediaHost,
  createMemoryApi,
  type MediaHostOptions,
  type MemoryApiOptions,
  type PlainResponse,
} from '@memory-read/server';
import { pageIcon } from '../reference-page/page-icon.ts';
import { renderReferencePage } from '../reference-page/render-reference-page.ts';
import { htmlPage, iconResponse, jsonPage, jsonResponse, methodNotAllowed, redirect } from './responses.ts';
import { shareCheck } from './share-check.ts';
import { withTimeout } from './with-timeout.ts';

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

/** Responds to a request, for `serve`. */
export type Respond = (request: Request) => Promise<Response | PlainResponse>;

/**
 * Serves the API, media, the OpenAPI document, the reference page and two health checks.
 *
 * If the public URL has a path, requests below it and at the root are both answered: some proxies remove their prefix,
 * others do not.
 */
export function createService(serviceOptions: ServiceOptions): Respond {
  const options = { ...serviceOptions, checkReadiness: shareCheck(serviceOptions.checkReadiness) };
  const prefix = new URL(options.publicUrl).pathname.replace(/\/$/, '');
  const atRoot = createMount(options, '');
  if (prefix === '') return atRoot;
  const atPrefix = createMount(options, prefix);
  return (request) => {
    const path = pathOf(request);
    return path === prefix || path.startsWith(`${prefix}/`) ? atPrefix(request) : atRoot(request);
  };
}

function createMount(options: ServiceOptions, basePath: string): Respond {
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
  const toDocs = page(() => redirect(`${publicUrl}/docs`));
  const [docs, document, icon] = [htmlPage(renderReferencePage(openApi)), jsonPage(openApi), iconResponse(pageIcon)];
  const pages: Record<string, Respond> = {
    '': toDocs,
    '/': toDocs,
    '/docs': page(() => docs),
    '/openapi.json': page(() => document),
    '/favicon.ico': page(() => icon),
    '/healthz': page(() => jsonResponse(200, { status: 'ok' })),
    '/readyz': page((requestId) => readiness(options, requestId)),
  };

  return (request) => {
    const path = pathOf(request);
    if (mediaHost && path.startsWith(`${mediaPath}/`)) return mediaHost.fetch(request);
    return (pages[path.slice(basePath.length)] ?? api.respond)(request);
  };
}

function page(respond: (requestId: string) => PlainResponse | Promise<PlainResponse>): Respond {
  return async (request) => {
    const requestId = requestIdOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const response = isRead ? await respond(requestId) : methodNotAllowed();
    return { ...response, headers: { ...response.headers, 'x-request-id': requestId } };
  };
}

/** Shorter than the timeout of health checks, so that they receive the reason. */
const readinessTimeoutMs = 2_000;

async function readiness({ checkReadiness, onError }: ServiceOptions, requestId: string): Promise<PlainResponse> {
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

/** Returns the request's `X-Request-Id` if a server may use it, otherwise a new id, as the API does. */
function requestIdOf({ headers }: Request): string {
  const sent = headers.get('x-request-id') ?? '';
  return isRequestId(sent) ? sent : `req_${crypto.randomUUID()}`;
}
