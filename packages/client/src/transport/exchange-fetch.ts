import { notifyHook } from '../client-hooks.ts';
import { checkApiKey } from '../configuration/api-key.ts';
import { type Call, callEvent } from './call.ts';
import type { Exchange, ResponseHead } from './exchange.ts';
import { redact } from './redact.ts';
import { rejectOnAbort } from './runtime.ts';

/** Longest body that is read: 256 MiB. */
const MAXIMUM_BODY_BYTES = 256 * 1024 * 1024;

/** Longest body of an error that is read: 64 KiB. */
const MAXIMUM_ERROR_BYTES = 64 * 1024;

/**
 * The `fetch` given to ky: adds the key, notes the head of the answer, and caps its body.
 *
 * The key is added here because ky attaches its own request to its errors. ky's timeout does not end a `fetch` that
 * disregards its signal, so the signal is raced at every step.
 */
export function createExchangeFetch(call: Call, exchange: Exchange): typeof globalThis.fetch {
  return async (input) => {
    const request = input as Request; // ky passes nothing else
    const authorized = await authorize(request, call, exchange);
    notifyHook(call.settings.hooks, 'onRequest', callEvent(call));

    const sentAt = call.runtime.uptime();
    const fetch = call.settings.fetch ?? globalThis.fetch;
    const response = await rejectOnAbort(fetch(authorized), request.signal);
    exchange.head = readHead(response, call, exchange);
    notifyHook(call.settings.hooks, 'onResponse', {
      ...callEvent(call),
      status: exchange.head.status,
      requestId: exchange.head.requestId,
      elapsed: call.runtime.uptime() - sentAt,
    });
    return capBody(response, request.signal, exchange);
  };
}

async function authorize(request: Request, { settings }: Call, exchange: Exchange): Promise<Request> {
  if (settings.auth === 'none') return request;
  const apiKey = await rejectOnAbort(resolveKey(settings.apiKey, exchange), request.signal);
  exchange.apiKey = apiKey;
  const headers = new Headers(request.headers);
  if (settings.auth === 'bearer') headers.set('authorization', `Bearer ${apiKey}`);
  else headers.set('x-api-key', apiKey);
  return new Request(request, { headers });
}

async function resolveKey(apiKey: Call['settings']['apiKey'], exchange: Exchange): Promise<string> {
  try {
    return checkApiKey(typeof apiKey === 'function' ? await apiKey() : apiKey);
  } catch (reason) {
    exchange.keyFailure = { reason };
    throw reason;
  }
}

function readHead({ status, headers }: Response, { runtime }: Call, { apiKey }: Exchange): ResponseHead {
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, headers, requestId: requestId && redact(requestId, apiKey), receivedAt: runtime.now() };
}

/** The same body, broken off at the cap or by the signal. Its status is dropped: not every status can be constructed. */
function capBody(response: Response, signal: AbortSignal, exchange: Exchange): Response {
  if (!response.body) return response;
  const maximum = response.status === 200 ? MAXIMUM_BODY_BYTES : MAXIMUM_ERROR_BYTES;
  let received = 0;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      exchange.isTooLarge = received > maximum;
      if (exchange.isTooLarge) controller.error(new RangeError('The body is too large.'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(cap, { signal }));
}
