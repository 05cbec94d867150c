import { quietly } from '@memory-read/contract/event-loop';
import ky from 'ky';
import { currentApiKey } from '../configuration/api-key.ts';
import { countsWithoutBody } from '../policy/failure-policy.ts';
import { type Call, describeAction, emitEvent, errorContext, secretsOf, setApiKey, timeoutError } from './call.ts';
import { callFetch } from './call-fetch.ts';
import { createConnectionError } from './create-connection-error.ts';
import { type LinkedSignal, linkSignal, runtime, throwIfAborted, timeLimit, timeoutReason } from './deadline.ts';
import { type Outcome, readOutcome } from './outcome.ts';
import { type BodyReader, checkFetched, NetworkFault, openBody, readBody, throwMisuse } from './response-body.ts';
import { ResponseHead } from './response-head.ts';

/** A response that is being read. */
interface OpenResponse {
  readonly response: Response;
  readonly reader: BodyReader | undefined;
}

/**
 * Sends a request once. Throws only the reason of the caller's signal, what the apiKey function rejects with, and
 * mistakes of the program. A `fetch` option that returns no Response is one, and becomes a `ConfigurationError`.
 */
export async function sendAttempt(call: Call): Promise<Outcome> {
  const limit = timeLimit(call);
  if (limit.milliseconds === 0) return { failure: timeoutError(call, limit) };
  const link = linkSignal(call.signal, limit.milliseconds);
  const { auth, apiKey, hooks } = call.client.settings;
  let isKeyPending = auth !== 'none' && typeof apiKey === 'function' && !call.hasFreshKey;
  call.hasFreshKey = false;
  let sent: Promise<OpenResponse> | undefined;
  let head: ResponseHead | undefined;
  let text: string | undefined;
  try {
    if (isKeyPending) setApiKey(call, await link.race(currentApiKey(apiKey, describeAction(call))));
    isKeyPending = false;

    emitEvent(call, 'onRequest', {});
    const sentAt = runtime.uptime();
    sent = sendRequest(call, link.signal);
    const { response, reader } = await link.race(sent);

    head = new ResponseHead(call, response);
    if (hooks.onResponse) {
      const { status, requestId } = head;
      emitEvent(call, 'onResponse', { status, requestId, elapsed: runtime.uptime() - sentAt });
    }

    text = await link.race(readBody(response, reader, call.settings.maxResponseBytes));
    if (text === undefined) cancel(link, sent);
    else link.release();
  } catch (fault) {
    cancel(link, sent);
    throwIfAborted(call.signal);
    if (isKeyPending && fault !== timeoutReason) throw fault;
    const cause = fault instanceof NetworkFault ? fault.cause : fault;
    throwMisuse(cause, describeAction(call), { ...errorContext(call, head), secrets: secretsOf(call) });
    if (fault === cause && fault !== timeoutReason) throw fault;
    if (head === undefined || !countsWithoutBody(head.status)) {
      if (link.signal.reason === timeoutReason)
        return { failure: timeoutError(call, { ...limit, isKeyPending }, head) };
      return { failure: createConnectionError(call, head, cause) };
    }
  }
  return readOutcome(call, head, text);
}

function cancel(link: LinkedSignal, sent: Promise<OpenResponse> | undefined): void {
  link.abort();
  // A fetch that ignores its signal may still bring a response.
  quietly(async () => (await sent)?.reader?.cancel());
}

async function sendRequest(call: Call, signal: AbortSignal): Promise<OpenResponse> {
  const { fetch } = call.client.settings;
  const response = await ky(call.url, {
    async fetch() {
      throwIfAborted(signal);
      // Errors of ky contain the request that ky creates. Only this one contains the key.
      const headers = requestHeaders(call);
      try {
        return checkFetched(await callFetch(fetch, call.url, { headers, signal }));
      } catch (cause) {
        throw new NetworkFault(cause);
      }
    },
    retry: 0,
    throwHttpErrors: false,
    timeout: false,
  });
  // A signal does not end a body reliably: runtimes follow it through requests that may be collected as garbage.
  return { response, reader: openBody(response) };
}

function requestHeaders({ client, headers, apiKey }: Call): Record<string, string> {
  const { auth } = client.settings;
  const sent: Record<string, string> = { ...client.headers, ...headers };
  if (auth === 'bearer') sent.authorization = `Bearer ${apiKey}`;
  if (auth === 'x-api-key') sent['x-api-key'] = `${apiKey}`;
  return sent;
}
