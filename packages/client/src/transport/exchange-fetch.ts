import { notifyHook } from '../client-hooks.ts';
import { checkApiKey } from '../configuration/api-key.ts';
import { type Call, callEvent, redactText } from './call.ts';
import type { Exchange, ResponseHead } from './exchange.ts';
import { rejectOnAbort } from './runtime.ts';

/** Longest body that is read: 256 MiB. */
const MAXIMUM_BODY_BYTES = 256 * 1024 * 1024;

/** Longest body of an error that is read: 1 MiB. */
const MAXIMUM_ERROR_BYTES = 1024 * 1024;

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
    const response = await rejectOnAbort(Promise.resolve(fetch(authorized)), request.signal);
    if (response.type === 'error') throw new TypeError('The fetch answered with Response.error().');
    exchange.head = readHead(response, call);
    notifyHook(call.settings.hooks, 'onResponse', {
      ...callEvent(call),
      status: exchange.head.status,
      requestId: exchange.head.requestId,
      elapsed: call.runtime.uptime() - sentAt,
    });
    return capBody(response, request.signal, exchange);
  };
}

async function authorize(request: Request, { settings, apiKeys }: Call, exchange: Exchange): Promise<Request> {
  if (settings.auth === 'none') return request;
  const apiKey = await rejectOnAbort(resolveKey(settings.apiKey, exchange), request.signal);
  apiKeys.add(apiKey);
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

function readHead({ status, headers }: Response, call: Call): ResponseHead {
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, headers, requestId: requestId && redactText(call, requestId), receivedAt: call.runtime.now() };
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
