import { currentApiKey } from '../configuration/api-key.ts';
import { type Call, redactText, tellOfCall } from './call.ts';
import type { Exchange, ResponseHead } from './exchange.ts';
import { rejectOnAbort } from './runtime.ts';

/** Longest body that is read: 256 MiB. */
const MAXIMUM_BODY_BYTES = 256 * 1024 * 1024;

/** Longest body of an error that is read: 1 MiB. */
const MAXIMUM_ERROR_BYTES = 1024 * 1024;

/**
 * The `fetch` given to ky: adds the key, notes the head of the answer, and reads its body up to a cap.
 *
 * The key is added here because ky attaches its own request to its errors. ky's timeout does not end a `fetch` that
 * disregards its signal, so the signal is raced at every step.
 */
export function createExchangeFetch(call: Call, exchange: Exchange): typeof globalThis.fetch {
  return async (input) => {
    const request = input as Request; // ky passes nothing else
    const authorized = await authorize(request, call, exchange);
    tellOfCall(call, 'onRequest', {});

    const sentAt = call.runtime.uptime();
    const fetch = call.settings.fetch ?? globalThis.fetch;
    const answer = Promise.resolve(fetch(authorized));
    exchange.cancelBody = () => void answer.then(({ body }) => body?.cancel()).catch(() => {});
    const response = await rejectOnAbort(answer, request.signal);
    if (response.type === 'error') throw new TypeError('The fetch answered with Response.error().');
    if (response.bodyUsed || response.body?.locked) misuse(exchange, 'a Response whose body was read already');
    if (response.body && !('getReader' in response.body)) misuse(exchange, 'a body that is no ReadableStream');
    exchange.head = readHead(response, call);
    const { status, requestId } = exchange.head;
    tellOfCall(call, 'onResponse', { status, requestId, elapsed: call.runtime.uptime() - sentAt });
    // Without streams, as in React Native, the body is for ky to read.
    if (!response.body) return response;
    exchange.text = await rejectOnAbort(readText(response.body.getReader(), exchange), call.link.signal);
    return new Response();
  };
}

async function authorize(request: Request, call: Call, exchange: Exchange): Promise<Request> {
  const { settings } = call;
  if (settings.auth === 'none') return request;
  exchange.isKeyPending = true;
  const apiKey = await rejectOnAbort(resolveKey(settings.apiKey, exchange), request.signal);
  exchange.isKeyPending = false;
  call.apiKey = apiKey;
  call.apiKeys.add(apiKey);
  const headers = new Headers(request.headers);
  if (settings.auth === 'bearer') headers.set('authorization', `Bearer ${apiKey}`);
  else headers.set('x-api-key', apiKey);
  return new Request(request, { headers });
}

async function resolveKey(apiKey: Call['settings']['apiKey'], exchange: Exchange): Promise<string> {
  try {
    return await currentApiKey(apiKey);
  } catch (reason) {
    exchange.keyFailure = { reason };
    throw reason;
  }
}

function misuse(exchange: Exchange, answer: string): never {
  exchange.misuse = `the fetch option answered with ${answer}`;
  throw new TypeError(exchange.misuse);
}

function readHead({ status, headers }: Response, call: Call): ResponseHead {
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, headers, requestId: requestId && redactText(call, requestId), receivedAt: call.runtime.now() };
}

/**
 * The whole body as text, unless it goes beyond the cap.
 *
 * It is read by a reader of our own, because a signal is no reliable way to end a body: runtimes follow it through
 * requests that may be collected as garbage meanwhile. Its cancel is never awaited: not every one settles.
 */
async function readText(reader: ReadableStreamDefaultReader<Uint8Array>, exchange: Exchange): Promise<string> {
  const maximum = exchange.head?.status === 200 ? MAXIMUM_BODY_BYTES : MAXIMUM_ERROR_BYTES;
  exchange.cancelBody = () => void reader.cancel().catch(() => {});
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(joined(chunks, length));
    if (!ArrayBuffer.isView(value)) misuse(exchange, `a body of ${typeof value}s, not of bytes`);
    chunks.push(value);
    length += value.byteLength;
    exchange.isTooLarge = length > maximum;
    if (exchange.isTooLarge) throw new RangeError();
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let place = 0;
  for (const chunk of chunks) {
    whole.set(chunk, place);
    place += chunk.byteLength;
  }
  return whole;
}
