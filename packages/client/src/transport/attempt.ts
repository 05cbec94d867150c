import ky, { NetworkError, TimeoutError } from 'ky';
import { ConnectionError } from '../errors/connection-error.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { type Answer, readAnswer } from './answer.ts';
import { type Call, errorContext, failureMessage, remainingTime } from './call.ts';
import type { Exchange } from './exchange.ts';
import { createExchangeFetch } from './exchange-fetch.ts';
import { linkSignal } from './link-signal.ts';
import { refuseAborted } from './runtime.ts';
import { faultCode, lacksPermission, safeCause } from './safe-cause.ts';
import { isTemporary } from './status-error.ts';
import { type SpentLimit, timeoutError } from './timeout-error.ts';

/** How an attempt ended. What is neither, such as the caller's abort, is thrown. */
export type Outcome = { readonly answer: Answer } | { readonly failure: AnyMemoryApiError };

interface AttemptLimit extends SpentLimit {
  /** Milliseconds for this attempt. */
  readonly budget: number | false;
}

/** Sends a request once. */
export async function sendAttempt(call: Call): Promise<Outcome> {
  const limit = attemptLimit(call);
  if (limit.budget === 0) return { failure: timeoutError(call, limit) };
  const link = linkSignal(call.signal);
  const exchange: Exchange = { signal: link.signal };
  try {
    // One time for all that happens in the `fetch`: key, headers and body.
    await ky(call.url, {
      method: call.method,
      fetch: createExchangeFetch(call, exchange),
      redirect: 'manual',
      retry: 0,
      throwHttpErrors: false,
      timeout: limit.budget,
    });
    link.release();
  } catch (error) {
    // A `fetch` that made its body by itself may disregard the signal.
    exchange.cancelBody?.();
    link.end();
    refuseAborted(call.signal);
    if (exchange.keyFailure !== undefined) throw exchange.keyFailure.reason;
    if (!saysEnough(exchange)) {
      const isTimeout = error instanceof TimeoutError && error !== exchange.fault;
      return {
        failure: isTimeout
          ? timeoutError(call, { ...limit, isKeyPending: exchange.isKeyPending }, exchange.head?.requestId)
          : connectionError(call, exchange, error),
      };
    }
  }
  return readAnswer(call, exchange);
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
  return isTooLarge === true || (head !== undefined && isTemporary(head.status));
}

function connectionError(call: Call, { head, misuse }: Exchange, error: unknown): ConnectionError {
  const cause = safeCause(error instanceof NetworkError ? error.cause : error, call.apiKeys);
  const code = faultCode(cause);
  const fault = head === undefined ? 'the connection failed' : 'the connection broke off within the body';
  const problem = code === undefined ? fault : `${fault} (${code})`;
  const message = misuse
    ? failureMessage(call, misuse, 'Let it return a new Response each time.')
    : failureMessage(call, problem, connectionRemedy(call, head, cause));
  return new ConnectionError(message, { ...errorContext(call, head?.requestId), cause });
}

function connectionRemedy({ settings }: Call, head: Exchange['head'], cause: unknown): string {
  if (lacksPermission(cause)) return 'Run Deno with --allow-net for this host.';
  const undiciTimeout = /^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$/.exec(faultCode(cause) ?? '')?.[1]?.toLowerCase();
  if (undiciTimeout !== undefined) return `Raise ${undiciTimeout}Timeout of the undici Agent, or check the network.`;
  if (settings.fetch === undefined || head !== undefined) return 'Check the base URL and the network.';
  return "Check the base URL, the network and any proxy, and that the fetch option can be called with one Request of this runtime's own.";
}
