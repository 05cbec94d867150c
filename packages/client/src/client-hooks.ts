import type { OperationId } from '@memory-read/contract/operations';
import type { AnyMemoryApiError } from './errors/is-memory-api-error.ts';
import type { ResponseIssue } from './validation/response-issue.ts';

/** Fields of every event of a call. */
export interface CallEvent {
  /** Id of the call, the same for all its attempts. */
  readonly callId: string;
  /** Operation that was called. */
  readonly operation: OperationId;
  /** URL without its query. It contains `{memory_id}` unresolved if the id or an option is invalid. */
  readonly url: string;
  /** Number of the attempt, from 1. It is 0 in the `onEnd` of a call that ended before the first attempt. */
  readonly attempt: number;
}

/** Emitted when the headers of a response arrive. */
export interface ResponseEvent extends CallEvent {
  /** HTTP status. */
  readonly status: number;
  /** `X-Request-Id` of the response, if the server sent one. */
  readonly requestId?: string | undefined;
  /** Time since the request was passed to `fetch`, in milliseconds. */
  readonly elapsed: number;
}

/** Emitted when an attempt has failed and another one follows. */
export interface RetryEvent extends CallEvent {
  /** Pause before the next attempt, in milliseconds. */
  readonly delay: number;
  /** Error of the failed attempt. The call can later reject with an error that has it as its `cause`. */
  readonly error: AnyMemoryApiError;
}

/** Emitted when a call ends. */
export interface EndEvent extends CallEvent {
  /** Time since the call began, in milliseconds, including retries and validation. */
  readonly elapsed: number;
  /** Error that the call rejects with, if any. It is the same object, so do not change it. */
  readonly error?: unknown;
}

/** Emitted when a response differs from the specification but is returned. */
export interface DriftEvent {
  /** Id of the call, the same as in its other events. */
  readonly callId: string;
  /** Id of the requested memory; absent for a list. Secrets in it are redacted. */
  readonly memoryId?: string | undefined;
  /** Number of memories that `validation: 'skip'` left out of the list. */
  readonly skipped: number;
  /** Ids of the memories that were left out, at most 20, as far as they have one. Secrets in them are redacted. */
  readonly memoryIds: readonly string[];
  /** Differences, at most 20. They hold paths, never values. */
  readonly issues: readonly ResponseIssue[];
  /** Whether there were more differences. */
  readonly truncated: boolean;
}

/**
 * Functions that are called on events, for logs, metrics and traces. All of them are optional.
 *
 * No event holds a key or a signed URL. Hooks run in the asynchronous context of the call (`AsyncLocalStorage`). The
 * client does not wait for them, and ignores what they throw.
 *
 * @example
 * ```ts
 * const observed = client.withOptions({
 *   hooks: {
 *     onRetry: ({ attempt, delay, error }) => console.warn(`Attempt ${attempt}: ${error.code}, again in ${delay} ms`),
 *     onEnd: ({ operation, attempt }) => console.log(`${operation} ended with attempt ${attempt}`),
 *   },
 * });
 * ```
 */
export interface MemoryClientHooks {
  /** Called before each attempt, once its API key is known. */
  onRequest?: ((event: CallEvent) => void) | undefined;
  /** Called when the headers of a response arrive. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the pause that precedes another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /**
   * Called exactly once for each call, after all its other events.
   *
   * It is the only event if the id, an option or the signal is refused. `attempt` is then 0. It is also the only event
   * if the `apiKey` function rejects at once. An attempt that times out while it waits for its key emits no
   * `onRequest`.
   */
  onEnd?: ((event: EndEvent) => void) | undefined;
  /** Called when a response differs from the specification but is returned. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
}

/** @internal */
export const hookNames = ['onRequest', 'onResponse', 'onRetry', 'onEnd', 'onDrift'] as const;
