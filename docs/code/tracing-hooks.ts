import { type CallEvent, isMemoryApiError, type MemoryClientHooks } from '@memory-read/client';
import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';

/** Makes one span of every call, below the span that is active where the call is made. */
export function createTracingHooks(tracer: Tracer): MemoryClientHooks {
  const calls = new Map<string, { span: Span; status?: number | undefined }>();
  // The first event of a call is onRequest; but onRetry or onEnd where there was no key to send a request with.
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

/** Only the client's own errors are known to hold no secret; an abort or an apiKey function may reject with anything. */
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
