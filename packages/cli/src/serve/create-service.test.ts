import { createHash } from 'node:crypto';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { apiKeyAuthenticator, createInMemoryStore } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createService, type Respond, type ServiceOptions } from './create-service.ts';

test('serves the OpenAPI document with its own address', async () => {
  const response = await get('/openapi.json');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(buildOpenApiDocument({ serverUrl: origin }))));
});

test('serves the reference page under a policy that allows only its style, its script and its own host', async () => {
  const response = await get('/docs');
  const html = await response.text();
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
  const [, script = ''] = /<script type="module">(.*)<\/script>/s.exec(html) ?? [];
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toBe(
    [
      `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'`,
      "connect-src 'self'; img-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "require-trusted-types-for 'script'; trusted-types 'none'",
    ].join('; '),
  );
  expect(html.replace(script, '')).not.toMatch(
    /<script [^>]*src|<link(?! rel="icon" href="data:image\/svg)|style=|\son\w+=|src=|javascript:/,
  );
});

test('serves an icon, which browsers request for a page that names none, such as the OpenAPI document', async () => {
  const response = await get('/favicon.ico');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(await response.text()).toMatch(/^<svg /);
});

test('/healthz is independent of the store, and /readyz waits for it', async () => {
  const errors: unknown[] = [];
  let reportedId: string | undefined;
  let isDown = true;
  const checkReadiness = async () => {
    if (isDown) throw new Error('down');
  };
  const onError: ServiceOptions['onError'] = (error, { requestId }) => {
    errors.push(error);
    reportedId = requestId;
  };
  const options = { checkReadiness, onError };
  expect((await get('/healthz', options)).status).toBe(200);
  const unready = await get('/readyz', options);
  expect([unready.status, await unready.json()]).toEqual([503, { status: 'unavailable' }]);
  expect([errors, reportedId]).toEqual([[new Error('down')], unready.headers.get('x-request-id')]);
  isDown = false;
  const ready = await get('/readyz', options);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
});

test('is not ready if the store does not respond within two seconds', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const errors: unknown[] = [];
  const asked = get('/readyz', { checkReadiness: () => new Promise(() => {}), onError: (error) => errors.push(error) });
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await asked).status).toBe(503);
  const message = 'Failed to check the store: no answer within 2 seconds. Check the database.';
  expect(errors).toEqual([new Error(message)]);
  expect((await get('/readyz')).status).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
});

test('the root redirects to the reference page', async () => {
  const response = await get('/');
  expect([response.status, response.headers.get('location')]).toEqual([302, `${origin}/docs`]);
});

test.each(['/docs/', '/nothing', '/v1', '/media', '/media/', '/constructor', '/V1/memories'])(
  'responds with 404 to %s',
  async (path) => {
    const response = await get(path);
    expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
  },
);

test('serves nothing at /media if the media are elsewhere', async () => {
  expect((await get('/media/x', { mediaHost: undefined })).status).toBe(404);
});

test('serves pages only to GET and HEAD', async () => {
  const head = await get('/docs', {}, 'HEAD');
  expect(head.status).toBe(200);
  const post = await get('/docs', {}, 'POST');
  expect([post.status, await post.json()]).toEqual([405, { detail: 'Method Not Allowed' }]);
  expect(post.headers.get('allow')).toBe('GET, HEAD');
});

test('every response forbids sniffing, and has the id of its request, or a new one if that is invalid', async () => {
  const paths = [
    '/',
    '/docs',
    '/openapi.json',
    '/favicon.ico',
    '/healthz',
    '/readyz',
    '/nothing',
    '/v1/memories',
    '/media/x',
  ];
  for (const path of paths) {
    expect((await get(path)).headers.get('x-content-type-options'), path).toBe('nosniff');
    for (const method of ['GET', 'HEAD', 'POST']) {
      const idOf = async (sent?: string) => {
        const response = await get(path, { requestHeaders: sent ? { 'x-request-id': sent } : {} }, method);
        return response.headers.get('x-request-id');
      };
      expect(await idOf('check-1'), `${method} ${path}`).toBe('check-1');
      expect(await idOf('an invalid one'), `${method} ${path}`).toMatch(/^req_[\w-]+$/);
      expect(await idOf()).not.toBe(await idOf());
    }
  }
});

test('responds below the path of its public URL and without it, for proxies that remove it', async () => {
  const options = { publicUrl: `${origin}/api/memories` };
  for (const prefix of ['', '/api/memories']) {
    expect((await get(`${prefix}/healthz`, options)).status).toBe(200);
    expect((await get(`${prefix}/v1/memories`, options)).status).toBe(401);
    expect((await get(`${prefix}/media/x`, options)).status).toBe(403);
    expect((await get(prefix || '/', options)).headers.get('location')).toBe(`${origin}/api/memories/docs`);
  }
  expect((await get('/api/memoriesx/healthz', options)).status).toBe(404);
});

test.each(['/openapi.json', '/docs'])('%s has its length, for GET and HEAD', async (path) => {
  const server = await serve({ fetch: serviceWith(), port: 0 });
  onTestFinished(() => server.close());
  const facts = async (method: string) => {
    const response = await fetch(server.url + path, { method });
    const headers = Object.fromEntries(response.headers);
    for (const name of ['connection', 'date', 'keep-alive', 'x-request-id']) delete headers[name];
    return { status: response.status, headers, body: await response.text() };
  };
  const whole = await facts('GET');
  expect(whole.headers['content-length']).toBe(String(Buffer.byteLength(whole.body)));
  expect(await facts('HEAD')).toEqual({ ...whole, body: '' });
  expect((await facts('POST')).status).toBe(405);
});

test('sends responses of the API and the pages without a Response object', async () => {
  const server = await serve({ fetch: serviceWith(), port: 0 });
  onTestFinished(() => server.close());
  const made = vi.fn();
  const counted = class extends Response {
    constructor(...init: ConstructorParameters<typeof Response>) {
      super(...init);
      made();
    }
  };
  vi.stubGlobal('Response', counted);
  onTestFinished(() => void vi.unstubAllGlobals());
  const read = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { 'x-request-id': 'mine' } });
    return [response.status, response.headers.get('x-request-id'), await response.text()];
  };
  expect(await read('/v1/memories')).toEqual([401, 'mine', '{"detail":"Missing API key"}']);
  expect(await read('/healthz')).toEqual([200, 'mine', '{"status":"ok"}']);
  expect(made).not.toHaveBeenCalled();
});

const origin = 'http://127.0.0.1:8787';

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

interface GetOptions extends Partial<ServiceOptions> {
  requestHeaders?: Record<string, string>;
}

async function get(path: string, { requestHeaders, ...options }: GetOptions = {}, method = 'GET'): Promise<Response> {
  const response = await serviceWith(options)(new Request(origin + path, { method, headers: requestHeaders ?? {} }));
  if (response instanceof Response) return response;
  const { body, ...init } = response;
  return new Response(
    Array.isArray(body) ? Buffer.concat(body.map((part) => Buffer.from(part))) : (body as string),
    init,
  );
}

function serviceWith(options: Partial<ServiceOptions> = {}): Respond {
  const store = createInMemoryStore();
  return createService({
    publicUrl: origin,
    store,
    authenticate: apiKeyAuthenticator(store),
    mediaSigner: { sign: ({ objectKey }) => `${origin}/media/${objectKey}` },
    mediaHost: { source: { open: async () => undefined }, secrets: [{ id: '1', secret: 'a secret of enough bytes' }] },
    checkReadiness: async () => {},
    onError: () => {},
    ...options,
  });
}
