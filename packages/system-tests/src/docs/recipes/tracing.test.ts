import { MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import { createTracingHooks } from '@memory-read/guide-code/tracing-hooks';
import { createMemoryMock, type Fault } from '@memory-read/msw';
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeEach, expect, test } from 'vitest';

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const tracer = provider.getTracer('test');
const mock = createMemoryMock();
const memoryId = mock.memories.all()[0]?.id ?? '';
const unavailable = { status: 503, retryAfter: 0 };

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
afterAll(() => context.disable());
beforeEach(() => {
  mock.reset();
  exporter.reset();
});

function createClient(options: MemoryClientOptions = {}): MemoryClient {
  const { baseUrl, apiKey, fetch } = mock;
  return new MemoryClient({ baseUrl, apiKey, fetch, hooks: createTracingHooks(tracer), retries: 0, ...options });
}

test('a call is one client span below the span that was active', async () => {
  const parent = await below('request', () => createClient().getMemory(memoryId));
  const span = onlyCall();
  expect(span).toMatchObject({ name: 'getMemory', kind: SpanKind.CLIENT, status: { code: SpanStatusCode.UNSET } });
  expect(span.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
  expect(span.attributes).toEqual({
    'http.request.method': 'GET',
    'server.address': 'api.memory-read.test',
    'server.port': 443,
    'url.full': `${mock.baseUrl}/v1/memories/${memoryId}`,
    'http.response.status_code': 200,
  });
  expect(span.events).toEqual([]);
});

test.each([
  ['https://api.example.com', 443],
  ['http://127.0.0.1', 80],
  ['http://127.0.0.1:8787', 8787],
])('the port of %s is %i', async (baseUrl, port) => {
  await createClient({ baseUrl, fetch: () => Response.json([]) }).listMemories();
  expect(onlyCall().attributes).toMatchObject({ 'server.port': port });
});

test('a call that succeeds at the third attempt is one span with two retries', async () => {
  mock.faults.next(unavailable, { times: 2 });
  await createClient({ retries: 2 }).getMemory(memoryId);
  const span = onlyCall();
  expect(span.attributes).toMatchObject({ 'http.response.status_code': 200, 'http.request.resend_count': 2 });
  expect(span.attributes).not.toHaveProperty('error.type');
  expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
  expect(span.events.map(({ name, attributes }) => ({ name, ...attributes }))).toEqual([
    { name: 'retry', attempt: 1, delay: expect.any(Number), 'error.type': '503' },
    { name: 'retry', attempt: 2, delay: expect.any(Number), 'error.type': '503' },
  ]);
});

test.each<[Fault, string, number | undefined]>([
  ...[401, 403, 404, 422, 429, 500].map((status) => [{ status }, String(status), status] as [Fault, string, number]),
  ['truncated-json', 'invalid_response', 200],
  ['contract-violation', 'invalid_response', 200],
  ['stall', 'timeout', undefined],
])('the span of a call that meets %j is an error of the type %s', async (fault, type, status) => {
  mock.faults.next(fault);
  await expectFailure(memoryId, type, status, fault === 'stall' ? 40 : 10_000);
});

test('the span of a call that is never sent is an error of the type configuration', async () => {
  await expectFailure('..', 'configuration', undefined);
});

test('a call whose last attempt is refused has the status of no earlier one', async () => {
  mock.faults.next(unavailable);
  mock.faults.next('network-error');
  await expect(createClient({ retries: 1 }).getMemory(memoryId)).rejects.toMatchObject({ code: 'connection' });
  const { attributes } = onlyCall();
  expect(attributes).toMatchObject({ 'error.type': 'connection', 'http.request.resend_count': 1 });
  expect(attributes).not.toHaveProperty('http.response.status_code');
});

test('a refused key, a failed apiKey function and one that is too slow end their spans without an attempt', async () => {
  const list = (options: MemoryClientOptions) => createClient(options).listMemories();
  await expect(list({ apiKey: () => 'two words' })).rejects.toMatchObject({ code: 'configuration' });
  await expect(list({ apiKey: () => Promise.reject(new RangeError('mrk_secret')) })).rejects.toThrow(RangeError);
  const slow = () => new Promise<string>(() => {});
  await expect(list({ apiKey: slow, timeout: 20, retries: 1 })).rejects.toMatchObject({ code: 'timeout' });
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['configuration', 'RangeError', 'timeout']);
  expect(spans[2]?.events.map(({ name }) => name)).toEqual(['retry', 'exception']);
  expect(JSON.stringify(spans.map(({ status, events }) => ({ status, events })))).not.toContain('mrk_secret');
});

test('an abort ends the span, in flight as before', async () => {
  mock.faults.next('stall');
  const aborting = new AbortController();
  const get = () => createClient().getMemory(memoryId, { signal: aborting.signal });
  const asked = mock.nextRequest();
  const call = get();
  await asked;
  aborting.abort();
  await expect(call).rejects.toThrow('aborted');
  await expect(get()).rejects.toThrow('aborted');
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['AbortError', 'AbortError']);
  expect(spans.map(({ status }) => status)).toEqual([{ code: SpanStatusCode.ERROR }, { code: SpanStatusCode.ERROR }]);
});

test('20 concurrent calls with a parent each are each below their own', async () => {
  mock.faults.next(unavailable, { times: 2 });
  const client = createClient({ retries: 2 });
  const parents = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      below(`request ${index}`, async () => {
        await client.getMemory(memoryId);
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
  const { onEnd } = createTracingHooks(tracer);
  const url = `${mock.baseUrl}/v1/memories`;
  for (const _end of [1, 2]) onEnd?.({ callId: 'a', operation: 'listMemories', url, attempt: 1, elapsed: 5 });
  expect(exporter.getFinishedSpans()).toHaveLength(2);
});

async function expectFailure(id: string, type: string, status: number | undefined, timeout = 10_000): Promise<void> {
  const error = await createClient({ timeout })
    .getMemory(id)
    .catch((caught: Error) => caught);
  const span = onlyCall();
  expect(span.attributes['error.type']).toBe(type);
  expect(span.attributes['http.response.status_code']).toBe(status);
  expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: (error as Error).message });
  expect(span.events.map(({ name }) => name)).toEqual(['exception']);
}

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
