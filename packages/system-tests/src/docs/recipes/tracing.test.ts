import { MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import { createTracingHooks } from '@memory-read/guide-code/tracing-hooks';
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestApi, type TestApi } from './start-test-api.ts';

const exporter = new InMemorySpanExporter();
const begun: string[] = [];
const counting = {
  onStart: (span: { name: string }) => void begun.push(span.name),
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter }), counting] });
const tracer = provider.getTracer('test');
const later = { 'retry-after': '0' };

/** How the server answers for some ids; it counts, so that it can fail first. */
const answers: Record<string, (visit: number) => Response | Promise<Response> | undefined> = {
  'user_1-3': (visit) => (visit < 3 ? Response.json({}, { status: 503, headers: later }) : undefined),
  status_401: () => Response.json({ detail: 'Invalid API key' }, { status: 401 }),
  status_404: () => Response.json({ detail: 'Memory not found' }, { status: 404 }),
  status_422: () => Response.json({ detail: 'No.' }, { status: 422 }),
  status_429: () => Response.json({ detail: 'Slow down.' }, { status: 429 }),
  status_500: () => Response.json({ detail: 'Internal server error' }, { status: 500 }),
  status_403: () => new Response('Forbidden', { status: 403 }),
  no_json: () => new Response('<html>'),
  wrong_shape: () => Response.json({ id: 7 }),
  silent: () => silence.promise,
};

let silence: PromiseWithResolvers<Response>;
let visits: Map<string, number>;
let api: TestApi;

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api = await startTestApi({ intercept });
});
afterAll(async () => {
  context.disable();
  await api.close();
});
beforeEach(() => {
  silence = Promise.withResolvers();
  visits = new Map();
  exporter.reset();
  begun.length = 0;
});
afterEach(() => {
  silence.resolve(new Response());
  expect(begun).toHaveLength(exporter.getFinishedSpans().length);
});

function createClient(options: MemoryClientOptions = {}): MemoryClient {
  return new MemoryClient({
    baseUrl: api.url,
    apiKey: api.keyOf(),
    hooks: createTracingHooks(tracer),
    retries: 0,
    ...options,
  });
}

test('a call is one client span below the span that was active', async () => {
  const parent = await below('request', () => createClient().getMemory('user_1-1'));
  const span = onlyCall();
  expect(span).toMatchObject({ name: 'getMemory', kind: SpanKind.CLIENT, status: { code: SpanStatusCode.UNSET } });
  expect(span.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
  expect(span.attributes).toEqual({
    'http.request.method': 'GET',
    'server.address': '127.0.0.1',
    'server.port': api.port,
    'url.full': `${api.url}/v1/memories/user_1-1`,
    'http.response.status_code': 200,
  });
  expect(span.events).toEqual([]);
});

test('a call that succeeds at the third attempt is one span with two retries', async () => {
  await createClient({ retries: 2 }).getMemory('user_1-3');
  const span = onlyCall();
  expect(span.attributes).toMatchObject({ 'http.response.status_code': 200, 'http.request.resend_count': 2 });
  expect(span.attributes).not.toHaveProperty('error.type');
  expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
  expect(span.events.map(({ name, attributes }) => ({ name, ...attributes }))).toEqual([
    { name: 'retry', attempt: 1, delay: 0, 'error.type': '503' },
    { name: 'retry', attempt: 2, delay: 0, 'error.type': '503' },
  ]);
});

test.each([
  ['status_401', '401', 401],
  ['status_404', '404', 404],
  ['status_422', '422', 422],
  ['status_429', '429', 429],
  ['status_500', '500', 500],
  ['status_403', '403', 403],
  ['no_json', 'invalid_response', 200],
  ['wrong_shape', 'invalid_response', 200],
  ['silent', 'timeout', undefined],
  ['..', 'configuration', undefined],
])('the span of a call that meets %s is an error of the type %s', async (id, type, status) => {
  const error = await createClient({ timeout: id === 'silent' ? 40 : 10_000 })
    .getMemory(id)
    .catch((caught: Error) => caught);
  const span = onlyCall();
  expect(span.attributes['error.type']).toBe(type);
  expect(span.attributes['http.response.status_code']).toBe(status);
  expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: (error as Error).message });
  expect(span.events.map(({ name }) => name)).toEqual(['exception']);
});

test('a call whose last attempt is refused has the status of no earlier one', async () => {
  const closed = await startTestApi();
  await closed.close();
  const fetchOnce = (request: Request) => fetch(visits.size === 0 ? request : new Request(closed.url, request));
  const client = createClient({ fetch: fetchOnce, retries: 1 });
  await expect(client.getMemory('user_1-3')).rejects.toMatchObject({ code: 'connection' });
  const { attributes } = onlyCall();
  expect(attributes).toMatchObject({ 'error.type': 'connection', 'http.request.resend_count': 1 });
  expect(attributes).not.toHaveProperty('http.response.status_code');
});

test('a refused key, a failed apiKey function and one that is too slow end their spans without an attempt', async () => {
  const client = createClient();
  const below = (options: MemoryClientOptions) => client.withOptions(options).listMemories();
  await expect(below({ apiKey: () => 'two words' })).rejects.toMatchObject({ code: 'configuration' });
  await expect(below({ apiKey: () => Promise.reject(new RangeError('mrk_secret')) })).rejects.toThrow(RangeError);
  const slow = () => new Promise<string>(() => {});
  await expect(below({ apiKey: slow, timeout: 20, retries: 1 })).rejects.toMatchObject({ code: 'timeout' });
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['configuration', 'RangeError', 'timeout']);
  expect(spans[2]?.events.map(({ name }) => name)).toEqual(['retry', 'exception']);
  expect(JSON.stringify(spans.map(({ status, events }) => ({ status, events })))).not.toContain('mrk_secret');
});

test('an abort ends the span, in flight as before', async () => {
  const client = createClient();
  const aborting = new AbortController();
  const call = client.getMemory('silent', { signal: aborting.signal });
  await vi.waitUntil(() => visits.get('silent') === 1);
  aborting.abort();
  await expect(call).rejects.toThrow('aborted');
  await expect(client.getMemory('silent', { signal: aborting.signal })).rejects.toThrow('aborted');
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['AbortError', 'AbortError']);
  expect(spans.map(({ status }) => status)).toEqual([{ code: SpanStatusCode.ERROR }, { code: SpanStatusCode.ERROR }]);
});

test('20 concurrent calls with a parent each are each below their own', async () => {
  const client = createClient({ retries: 2 });
  const ids = Array.from({ length: 20 }, (_, index) => `user_1-${(index % 3) + 1}`);
  const parents = await Promise.all(
    ids.map((id, index) =>
      below(`request ${index}`, async () => {
        await client.getMemory(id);
        await client.listMemories();
      }),
    ),
  );
  const spans = exporter.getFinishedSpans();
  for (const parent of parents) {
    const { spanId, traceId } = parent.spanContext();
    const children = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId);
    expect(children.map(({ name }) => name)).toEqual(['getMemory', 'listMemories']);
    expect(children.map((child) => child.spanContext().traceId)).toEqual([traceId, traceId]);
  }
  expect(spans).toHaveLength(60);
});

test('what is kept of a call goes with its end', () => {
  const hooks = createTracingHooks(tracer);
  const end = {
    callId: 'a',
    operation: 'listMemories',
    url: `${api.url}/v1/memories`,
    attempt: 1,
    elapsed: 5,
  } as const;
  hooks.onEnd?.(end);
  hooks.onEnd?.(end);
  expect(exporter.getFinishedSpans()).toHaveLength(2);
});

function onlyCall(): ReadableSpan {
  const spans = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
  expect(spans).toHaveLength(1);
  return spans[0] as ReadableSpan;
}

async function below(name: string, work: () => Promise<unknown>): Promise<Span> {
  const parent = tracer.startSpan(name);
  await context.with(trace.setSpan(context.active(), parent), work);
  parent.end();
  return parent;
}

function intercept(request: Request): Response | Promise<Response> | undefined {
  const id = new URL(request.url).pathname.split('/').at(-1) ?? '';
  const visit = (visits.get(id) ?? 0) + 1;
  visits.set(id, visit);
  return answers[id]?.(visit);
}
