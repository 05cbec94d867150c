import { serveStatic } from '@hono/node-server/serve-static';
import { isMemoryApiError, type MediaKind, MemoryClient } from '@memory-read/client';
import { type Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

export interface BackendOptions {
  /** Root of the API, without `/v1`. */
  apiUrl: string;
  /** API key. No response of the backend contains it. */
  apiKey: string;
  /** Folder with the built pages. */
  pages: string;
  /** Names that requests can use in `Host` in addition to those of this machine. Default: none. */
  hosts?: readonly string[] | undefined;
  /** Origin of the signed URLs, for the content security policy. Default: the origin of the API. */
  mediaOrigin?: string | undefined;
  /** Called with each failure of a request to the API. */
  onError(error: Error): void;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Serves pages, and the API below `/api` for browsers without an API key. */
export function createBackend({ apiUrl, apiKey, pages, hosts = [], mediaOrigin, onError }: BackendOptions): Hono {
  const client = new MemoryClient({ baseUrl: apiUrl, apiKey });
  const backend = new Hono();

  backend.use(protectPages(mediaOrigin ?? new URL(apiUrl).origin));
  // Another site can resolve its name to this machine, so that its pages reach this port. `Host` then has that name.
  backend.use(async (context, next) => {
    const { hostname } = new URL(context.req.url);
    return [...loopback, ...hosts].includes(hostname) ? next() : problem(context, 403, 'Forbidden');
  });
  // Add your own sign-in here: every request that passes this line can read the account of the key.
  backend.get('/api/v1/memories', (context) => forward(context, '/v1/memories'));
  backend.get('/api/v1/memories/:id', (context) => {
    // The example encodes the id itself: the path of a browser must not become another path of the API.
    const id = readId(context, '/api/v1/memories/');
    return id === undefined ? unusableId(context) : forward(context, `/v1/memories/${encodeURIComponent(id)}`);
  });
  backend.get('/api/media/:id/:kind', redirectToMedia);
  backend.all('/api/*', (context) => problem(context, 404, 'Not Found'));
  backend.use(serveStatic({ root: pages }));
  backend.onError((error, context) => {
    if (context.req.raw.signal.aborted) return context.body(null);
    const { method, path } = context.req;
    const message = `Failed to answer ${method} ${path}: ${error.message}. Check MEMORY_API_URL and the network.`;
    onError(isMemoryApiError(error) ? error : new Error(message, { cause: error }));
    return describeError(error, context);
  });
  return backend;

  /** Streams the body, and cancels the request to the API when the browser disconnects. */
  async function forward({ req }: Context, path: string): Promise<Response> {
    const answer = await fetch(apiUrl.replace(/\/+$/, '') + path, {
      method: req.method,
      headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
      redirect: 'manual',
      signal: req.raw.signal,
    });
    if (isInDialect(answer))
      return new Response(answer.body, { status: answer.status, headers: passedHeaders(answer) });
    await answer.body?.cancel();
    onError(
      new Error(
        `Failed to forward ${req.method} ${path}: the API answered ${answer.status} without JSON. Check MEMORY_API_URL.`,
      ),
    );
    const status = answer.status >= 400 ? answer.status : 502;
    return Response.json({ detail: 'Bad gateway' }, { status, headers: passedHeaders(answer) });
  }

  /** Redirects a permanent address to a signed URL, for example in `<img src="/api/media/mem_1/preview_image">`. */
  async function redirectToMedia(context: Context): Promise<Response> {
    const { kind } = context.req.param() as { kind: MediaKind };
    if (!['audio', 'video', 'preview_image'].includes(kind)) return problem(context, 404, 'Not Found');
    const id = readId(context, '/api/media/');
    if (id === undefined) return unusableId(context);
    const media = await client.mediaUrl(id, kind, { signal: context.req.raw.signal });
    if (media === null) return problem(context, 404, 'Media not found');
    context.header('cache-control', 'private, no-store');
    return context.redirect(media.url, 302);
  }
}

/**
 * Returns the id after the beginning of the path, decoded. Returns undefined if the API, or a proxy in front of it, could read the id as a
 * part of another path.
 */
function readId({ req }: Context, beginning: string): string | undefined {
  try {
    const id = decodeURIComponent(new URL(req.url).pathname.slice(beginning.length).replace(/\/.*/, ''));
    // Some proxies decode a path twice.
    return /^(?:\.|%2e){1,2}$|[/\\]|%2f|%5c/i.test(id) ? undefined : id;
  } catch {
    return undefined;
  }
}

function unusableId(context: Context): Response {
  return problem(context, 422, 'The memory id cannot be used');
}

function isInDialect({ status, headers }: Response): boolean {
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return isJson && (status === 200 || status >= 400);
}

/**
 * Omits length and encoding, because `fetch` has decoded the body, and `www-authenticate`, which opens a login dialog.
 */
function passedHeaders({ headers }: Response): Headers {
  const passed = new Headers({ 'cache-control': 'private, no-store', 'content-type': 'application/json' });
  for (const name of ['date', 'retry-after', 'x-request-id']) {
    const value = headers.get(name);
    if (value !== null) passed.set(name, value);
  }
  return passed;
}

function describeError(error: Error, context: Context): Response {
  if (isMemoryApiError(error)) {
    if (error.code === 'configuration') return unusableId(context);
    if ('detail' in error && error.status >= 400) return problem(context, error.status, error.detail ?? 'Bad gateway');
  }
  return problem(context, 502, 'Bad gateway');
}

function problem(context: Context, status: number, detail: string): Response {
  context.header('cache-control', 'private, no-store');
  return context.newResponse(JSON.stringify({ detail }), {
    status: status as never,
    headers: { 'content-type': 'application/json' },
  });
}

/** Allows media of other hosts only, and forbids other pages to frame this one. */
function protectPages(mediaOrigin: string) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", mediaOrigin],
      // Captions are created in the page.
      mediaSrc: ["'self'", 'blob:', mediaOrigin],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
}
