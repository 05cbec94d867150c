import ky from 'ky';
import { currentApiKey } from '../configuration/api-key.ts';
import { countsWithoutBody } from '../policy/failure-policy.ts';
import { type Call, describeAction, emitEvent, errorContext, remainingTime, setApiKey } from './call.ts';
import { callFetch } from './call-fetch.ts';
import { cancelBody } from './cancel-body.ts';
import { createConnectionError } from './create-connection-error.ts';
import { linkSignal, timeoutReason } from './link-signal.ts';
import { type Outcome, readOutcome } from './outcome.ts';
import {
  type BodyReader,
  checkFetched,
  fromNetwork,
  NetworkFault,
  openBody,
  readBody,
  throwMisuse,
} from './response-body.ts';
import { type ResponseHead, readHead } from './response-head.ts';
import { throwIfAborted } from './runtime.ts';
import { timeLimit, timeoutError } from './timeout-error.ts';
import { userAgent } from './user-agent.ts';

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
  const { milliseconds, ...limit } = timeLimit(call.settings, remainingTime(call));
  if (milliseconds === 0) return { failure: timeoutError(call, limit) };
  const { signal, race, release, abort } = linkSignal(call.signal, milliseconds);
  const { auth, apiKey } = call.settings;
  let isKeyPending = auth !== 'none' && typeof apiKey === 'function' && !call.hasFreshKey;
  call.hasFreshKey = false;
  let sent: Promise<OpenResponse> | undefined;
  let head: ResponseHead | undefined;
  let text: string | undefined;
  const cancel = () => {
    abort();
    // A fetch that ignores its signal may still bring a response.
    sent?.then(({ reader }) => cancelBody(reader)).catch(() => {});
  };
  try {
    if (isKeyPending) setApiKey(call, await race(currentApiKey(apiKey, describeAction(call))));
    isKeyPending = false;

    emitEvent(call, 'onRequest', {});
    const sentAt = call.runtime.uptime();
    sent = sendRequest(call, signal);
    const { response, reader } = await race(sent);

    head = readHead(call, response);
    const { status, requestId } = head;
    emitEvent(call, 'onResponse', { status, requestId, elapsed: call.runtime.uptime() - sentAt });

    text = await race(readBody(response, reader, call.settings.maxResponseBytes));
    if (text === undefined) cancel();
    else release();
  } catch (fault) {
    cancel();
    throwIfAborted(call.signal);
    if (isKeyPending && fault !== timeoutReason) throw fault;
    const cause = fault instanceof NetworkFault ? fault.cause : fault;
    throwMisuse(cause, describeAction(call), errorContext(call, head));
    if (fault === cause && fault !== timeoutReason) throw fault;
    if (head === undefined || !countsWithoutBody(head.status)) {
      if (signal.reason === timeoutReason) return { failure: timeoutError(call, { ...limit, isKeyPending }, head) };
      return { failure: createConnectionError(call, head, cause) };
    }
  }
  return readOutcome(call, head, text);
}

async function sendRequest(call: Call, signal: AbortSignal): Promise<OpenResponse> {
  const response = await ky(call.url, {
    async fetch() {
      throwIfAborted(signal);
      // Errors of ky contain the request that ky creates. Only this one contains the key.
      const headers = requestHeaders(call);
      return fromNetwork(async () => checkFetched(await callFetch(call.settings.fetch, call.url, { headers, signal })));
    },
    retry: 0,
    throwHttpErrors: false,
    timeout: false,
  });
  // A signal does not end a body reliably: runtimes follow it through requests that may be collected as garbage.
  return { response, reader: openBody(response) };
}

function requestHeaders({ settings, apiKey }: Call): Record<string, string> {
  const { auth, headers } = settings;
  const keyHeader = auth === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': `${apiKey}` };
  return { accept: 'application/json', ...userAgent(), ...headers, ...(auth !== 'none' && keyHeader) };
}
