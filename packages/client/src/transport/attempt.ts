import ky, { NetworkError, TimeoutError } from 'ky';
import { ConnectionError } from '../errors/connection-error.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { RequestTimeoutError, type TimeoutLimit } from '../errors/request-timeout-error.ts';
import { type Answer, readAnswer } from './answer.ts';
import { type Call, errorContext, failureMessage, remainingTime } from './call.ts';
import type { Exchange } from './exchange.ts';
import { createExchangeFetch } from './exchange-fetch.ts';
import { faultCode, safeCause } from './safe-cause.ts';
import { isServerFault } from './status-error.ts';

/** How an attempt ended. What is neither, such as the caller's abort, is thrown. */
export type Outcome = { readonly answer: Answer } | { readonly failure: AnyMemoryApiError };

interface AttemptLimit {
  readonly limit: TimeoutLimit;
  /** Milliseconds for this attempt. */
  readonly budget: number | false;
  /** The option that set them. */
  readonly timeoutMs: number;
}

/** Sends a request once. */
export async function sendAttempt(call: Call): Promise<Outcome> {
  const limit = attemptLimit(call);
  const exchange: Exchange = {};
  let text: string;
  try {
    text = await fetchText(call, exchange, limit.budget);
  } catch (error) {
    call.signal?.throwIfAborted();
    if (exchange.keyFailure !== undefined) throw exchange.keyFailure.reason;
    if (!saysEnough(exchange)) {
      const isTimeout = error instanceof TimeoutError;
      return { failure: isTimeout ? timeoutError(call, exchange, limit) : connectionError(call, exchange, error) };
    }
    text = '';
  }
  return readAnswer(call, exchange, text);
}

/** One attempt of ky. Only its `text()` keeps the body under the timeout; `timeout` would grant headers and body the whole each. */
function fetchText(call: Call, exchange: Exchange, budget: number | false): Promise<string> {
  return ky(call.url, {
    method: call.method,
    headers: { accept: 'application/json', ...call.settings.headers },
    ...(call.signal && { signal: call.signal }),
    fetch: createExchangeFetch(call, exchange),
    redirect: 'manual',
    retry: 0,
    throwHttpErrors: false,
    timeout: false,
    totalTimeout: budget,
  }).text();
}

function attemptLimit(call: Call): AttemptLimit {
  const { timeout, totalTimeout } = call.settings;
  const remaining = Math.max(0, remainingTime(call));
  if (totalTimeout !== false && (timeout === false || remaining < timeout)) {
    return { limit: 'total', budget: remaining, timeoutMs: totalTimeout };
  }
  return { limit: 'attempt', budget: timeout, timeoutMs: timeout || 0 };
}

/** A status that invites another attempt, and a body that is too large, count also where the rest did not arrive. */
function saysEnough({ head, isTooLarge }: Exchange): boolean {
  if (isTooLarge === true) return true;
  return head !== undefined && (head.status === 408 || head.status === 429 || isServerFault(head.status));
}

function timeoutError(call: Call, { head }: Exchange, { limit, timeoutMs }: AttemptLimit): RequestTimeoutError {
  const option = limit === 'total' ? 'totalTimeout' : 'timeout';
  return new RequestTimeoutError(
    failureMessage(call, `no whole answer came within ${timeoutMs} ms`, `Raise ${option} if that is too short.`),
    { ...errorContext(call, head?.requestId), limit, timeoutMs, cause: call.lastFailure },
  );
}

function connectionError(call: Call, { head }: Exchange, error: unknown): ConnectionError {
  const cause = safeCause(error instanceof NetworkError ? error.cause : error, call.apiKeys);
  const code = faultCode(cause);
  const fault = head === undefined ? 'the connection failed' : 'the connection broke off within the body';
  const problem = code === undefined ? fault : `${fault} (${code})`;
  return new ConnectionError(failureMessage(call, problem, connectionRemedy(call, head)), {
    ...errorContext(call, head?.requestId),
    cause,
  });
}

function connectionRemedy({ settings }: Call, head: Exchange['head']): string {
  if (settings.fetch === undefined || head !== undefined) return 'Check the base URL and the network.';
  return "Check the base URL, the network, and that the fetch option can be called with one Request of this runtime's own.";
}
