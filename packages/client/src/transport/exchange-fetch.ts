import { currentApiKey } from '../configuration/api-key.ts';
import { type Call, redactText, tellOfCall } from './call.ts';
import type { Exchange, ResponseHead } from './exchange.ts';
import { letGo } from './let-go.ts';
import { refuseAborted, rejectOnAbort } from './runtime.ts';
import { userAgent } from './user-agent.ts';

/** Longest body that is read: 256 MiB. */
const MAXIMUM_BODY_BYTES = 256 * 1024 * 1024;

/** Longest body of an error that is read: 1 MiB. */
const MAXIMUM_ERROR_BYTES = 1024 * 1024;

/**
 * The `fetch` given to ky: adds the headers and the key, notes the head of the answer, and reads its body up to a cap.
 *
 * The key is added here because ky attaches its own request to its errors. The signal is added here because a `fetch`
 * may disregard it: all of this is raced with it, so that it ends with the attempt.
 */
export function createExchangeFetch(call: Call, exchange: Exchange): typeof globalThis.fetch {
  // ky passes nothing but a request, and reads nothing of the response.
  return (input) => {
    const running = runExchange(input as Request, call, exchange).catch((fault: unknown) => {
      exchange.fault = fault;
      throw fault;
    });
    return rejectOnAbort(running, exchange.signal);
  };
}

/** After each wait it looks whether the attempt has ended meanwhile: of one that has, nothing is sent and told. */
async function runExchange(request: Request, call: Call, exchange: Exchange): Promise<Response> {
  const { signal } = exchange;
  const keyHeader = await takeKey(call, exchange);
  const headers = { accept: 'application/json', ...userAgent(), ...call.settings.headers, ...keyHeader };
  tellOfCall(call, 'onRequest', {});
  refuseAborted(signal);

  const sentAt = call.runtime.uptime();
  const fetch = call.settings.fetch ?? globalThis.fetch;
  exchange.request = new Request(request, { headers, signal });
  const response = await fetch(exchange.request);
  exchange.cancelBody = () => letGo(() => response.body?.cancel());
  if (signal.aborted) exchange.cancelBody();
  refuseAborted(signal);
  if (response.type === 'error') throw new TypeError('The fetch answered with Response.error().');
  if (response.bodyUsed || response.body?.locked) misuse(exchange, 'a Response whose body was read already');
  if (response.body && typeof response.body.getReader !== 'function')
    misuse(exchange, 'a body that is no ReadableStream');
  exchange.head = readHead(response, call);
  const { status, requestId } = exchange.head;
  tellOfCall(call, 'onResponse', { status, requestId, elapsed: call.runtime.uptime() - sentAt });
  // Without streams, as in React Native, there is only the whole of a body.
  const text = await (response.body ? readText(response.body.getReader(), exchange) : response.text());
  refuseAborted(signal);
  exchange.text = text;
  return response;
}

/** The key as a header, if one is sent. */
async function takeKey(call: Call, exchange: Exchange): Promise<Record<string, string>> {
  const { auth, apiKey: source } = call.settings;
  if (auth === 'none') return {};
  exchange.isKeyPending = true;
  const apiKey = await currentApiKey(source).catch((reason: unknown) => {
    exchange.keyFailure = { reason };
    throw reason;
  });
  refuseAborted(exchange.signal);
  exchange.isKeyPending = false;
  call.apiKey = apiKey;
  call.apiKeys.add(apiKey);
  return auth === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey };
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
  exchange.cancelBody = () => letGo(() => reader.cancel());
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
