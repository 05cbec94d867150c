import { quietly } from '@memory-read/contract/event-loop';
import { classifyFault, isTransientFault } from '../policy/failure-policy.ts';
import { callFetch } from '../transport/call-fetch.ts';
import { cancelBody } from '../transport/cancel-body.ts';
import { causeChain, faultCode } from '../transport/cause-chain.ts';
import { type LinkedSignal, linkSignal, timedOut, withTimeout } from '../transport/deadline.ts';
import { checkFetched, openBody, throwMisuse } from '../transport/response-body.ts';
import { safeCause } from '../transport/safe-cause.ts';
import type { MediaSource } from './media-source.ts';
import type { RequestedPart } from './storage-response.ts';

/** Why an attempt returned no bytes, or stopped. */
export interface Fault {
  readonly problem: string;
  readonly cause?: Error | undefined;
  /** Whether another attempt would fail in the same way. */
  readonly isHopeless?: boolean | undefined;
  /** Advice about an unused proxy variable. */
  readonly hint?: string | undefined;
  /** Pause that the server requests, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** A response of the storage that is being read. */
export interface StorageResponse {
  readonly response: Response;
  readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Closes the connection. Nothing waits for that, because not every runtime reports when it is done. */
  end(): void;
}

/** The requested part, and how long to wait for a response. */
export interface StorageRequest {
  readonly url: string;
  readonly requested: RequestedPart;
  /** What the caller wants, for messages. */
  readonly action: string;
  readonly headersTimeout: number;
  readonly signal: AbortSignal;
  /** Redacted in every fault. */
  readonly secrets: Iterable<string>;
}

/** Sends one request to the storage, with neither the key nor any header of the client. */
export async function requestStorage(source: MediaSource, request: StorageRequest): Promise<StorageResponse | Fault> {
  const { headersTimeout, signal, secrets } = request;
  const link = linkSignal(signal);
  const answer = sendToStorage(source, request, link);
  try {
    const opened = await withTimeout(answer, headersTimeout, signal);
    if (opened !== timedOut) return opened;
  } catch (error) {
    if (!signal.aborted) {
      throwMisuse(error, request.action, { secrets });
      return {
        ...connectionFault('the connection to the storage failed', error, secrets),
        hint: source.proxyHint(request.url),
      };
    }
  }
  // A fetch that ignores its signal may still bring a response.
  quietly(async () => (await answer).end());
  link.abort();
  signal.throwIfAborted();
  return { problem: `the storage did not respond within ${headersTimeout} ms` };
}

export function connectionFault(problem: string, error: unknown, secrets: Iterable<string>): Fault {
  const cause = safeCause(error, secrets);
  const code = faultCode(cause);
  const isHopeless = !isTransientFault(classifyFault(causeChain(cause), false));
  return { problem: code === undefined ? problem : `${problem} (${code})`, cause, isHopeless };
}

async function sendToStorage(
  { fetch }: MediaSource,
  { url, requested: { byte, etag } }: StorageRequest,
  link: LinkedSignal,
): Promise<StorageResponse> {
  const range = byte > 0 && etag ? { range: `bytes=${byte}-`, 'if-range': etag } : {};
  const answer = callFetch(fetch, url, {
    headers: { 'accept-encoding': 'identity', ...range },
    signal: link.signal,
    // Some workers support neither option and reject both.
    ...('credentials' in Request.prototype && { credentials: 'omit', referrerPolicy: 'no-referrer' }),
  });
  const response = checkFetched(await answer);
  const reader = openBody(response);
  const end = () => {
    cancelBody(reader);
    link.abort();
  };
  return { response, reader, end };
}
