import { type CallEvent, isMemoryApiError, type MemoryClientHooks } from '@memory-read/client';
import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';

/** Creates one span for each call, as a child of the span that is active at the call. */
export function createTracingHooks(tracer: Tracer): MemoryClientHooks {
  const calls = new Map<string, { span: Span; status?: number | undefined }>();
  // The first event is usually onRequest. If the apiKey function fails, it is onRetry or onEnd.
  const callOf = (event: CallEvent, elapsed = 0) => {
    const call = calls.get(event.callId) ?? { span: startSpan(tracer, event, Date.now() - elapsed) };
    calls.set(event.callId, call);
    return call;
  };
  return {
    onRequest(event) {
      callOf(event).status = undefined;
    },
    onResponse(event) {
      callOf(event).status = event.status;
    },
    onRetry(event) {
      const { attempt, delay, error } = event;
      callOf(event).span.addEvent('retry', { attempt, delay, 'error.type': errorType(error) });
    },
    onEnd(event) {
      const { span, status } = callOf(event, event.elapsed);
      calls.delete(event.callId);
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (event.attempt > 1) span.setAttribute('http.request.resend_count', event.attempt - 1);
      if ('error' in event) failSpan(span, event.error);
      span.end();
    },
  };
}

function startSpan(tracer: Tracer, { operation, url }: CallEvent, startTime: number): Span {
  const { protocol, hostname, port } = new URL(url);
  const attributes: Attributes = {
    'http.request.method': 'GET',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'url.full': url,
  };
  return tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes, startTime });
}

/** Only the client's own errors never contain a secret. An abort reason or an apiKey function can contain anything. */
function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorType(error));
  if (!isMemoryApiError(error)) return void span.setStatus({ code: SpanStatusCode.ERROR });
  span.recordException(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}

function errorType(error: unknown): string {
  if (isMemoryApiError(error)) return 'status' in error ? String(error.status) : error.code;
  return error instanceof Error ? error.name : '_OTHER';
}
