import type { OperationId } from '@memory-read/contract/operations';
import type { AnyMemoryApiError } from './errors/is-memory-api-error.ts';
import { notify } from './notify.ts';
import type { ResponseIssue } from './validation/response-issue.ts';

/** What every event of a call says. */
export interface CallEvent {
  /** One id for all attempts of a call. */
  readonly callId: string;
  /** The operation called. */
  readonly operation: OperationId;
  /** The address without its query; with `{memory_id}` as it stands where the id or an option was refused. */
  readonly url: string;
  /** The attempt that this is about, from 1; 0 in the `onEnd` of a call that ended before the first. */
  readonly attempt: number;
}

/** Headers of a response arrived. */
export interface ResponseEvent extends CallEvent {
  /** HTTP status. */
  readonly status: number;
  /** The server's `X-Request-Id`, if it sent one. */
  readonly requestId?: string | undefined;
  /** Milliseconds since the request was handed to `fetch`: without the wait for a key before, and the body after. */
  readonly elapsed: number;
}

/** An attempt failed, and another follows. */
export interface RetryEvent extends CallEvent {
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** Why the attempt failed; it may come back as the `cause` of what the call rejects with. */
  readonly error: AnyMemoryApiError;
}

/** A call ended. */
export interface EndEvent extends CallEvent {
  /** Milliseconds since the call began: keys, attempts, waits, bodies and validation. */
  readonly elapsed: number;
  /** What the call rejects with, where it does: the very same value, so read it and leave it as it is. */
  readonly error?: unknown;
}

/** A response differs from the specification in what the validation mode lets pass. */
export interface DriftEvent {
  /** The call, as in the other events. */
  readonly callId: string;
  /** The memory that was asked for, redacted as in errors; absent for a list. */
  readonly memoryId?: string | undefined;
  /** The differences: paths, never values; at most 20. */
  readonly issues: readonly ResponseIssue[];
  /** Whether there were more. */
  readonly truncated: boolean;
}

/**
 * Called as things happen, for logs, metrics and traces. All are optional.
 *
 * No event holds a key or a signed URL; a hook that throws or rejects breaks nothing. Hooks are called within the
 * asynchronous context of the call (`AsyncLocalStorage`), and nothing waits for what they return.
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
  /** Before each attempt is sent, once it has its key. */
  onRequest?: ((event: CallEvent) => void) | undefined;
  /** When the headers of a response arrive. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Before the wait for another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /**
   * Exactly once a call, at its end and after all its other events, however it ends.
   *
   * It is the only event of a call that is refused for its id, an option or a signal that is aborted already (`attempt`
   * is 0), or whose first key the `apiKey` function rejects (`attempt` is 1). An attempt whose key does not come in time
   * has no `onRequest`, but is tried again like any that takes too long.
   */
  onEnd?: ((event: EndEvent) => void) | undefined;
  /** When a response differs from the specification but passes. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
}

/** @internal */
export const hookNames = ['onRequest', 'onResponse', 'onRetry', 'onEnd', 'onDrift'] as const;

/** @internal */
export type HookEvent<Name extends keyof MemoryClientHooks> = Parameters<NonNullable<MemoryClientHooks[Name]>>[0];

/** @internal Calls a hook, if there is one, and swallows what it throws, at once or later. */
export function notifyHook<Name extends keyof MemoryClientHooks>(
  hooks: MemoryClientHooks,
  name: Name,
  event: HookEvent<Name>,
): void {
  notify(hooks[name] as ((event: HookEvent<Name>) => unknown) | undefined, event);
}
