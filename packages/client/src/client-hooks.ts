import type { OperationId } from '@memory-read/contract/operations';
import type { AnyMemoryApiError } from './errors/is-memory-api-error.ts';
import type { ResponseIssue } from './validation/response-issue.ts';

/** What every event of a call says. */
export interface CallEvent {
  /** One id for all attempts of a call. */
  readonly callId: string;
  /** The operation called. */
  readonly operation: OperationId;
  /** The address without its query. */
  readonly url: string;
  /** The attempt that this is about, from 1. */
  readonly attempt: number;
}

/** Headers of a response arrived. */
export interface ResponseEvent extends CallEvent {
  /** HTTP status. */
  readonly status: number;
  /** The server's `X-Request-Id`, if it sent one. */
  readonly requestId?: string | undefined;
  /** Milliseconds since the attempt began. */
  readonly elapsed: number;
}

/** An attempt failed, and another follows. */
export interface RetryEvent extends CallEvent {
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** Why the attempt failed. */
  readonly error: AnyMemoryApiError;
}

/** A call ended. */
export interface EndEvent extends CallEvent {
  /** Milliseconds since the call began. */
  readonly elapsed: number;
  /** What the call rejects with, where it does. */
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
 * No event holds a key or a signed URL; a hook that throws or rejects breaks nothing.
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
  /** Before each attempt is sent. */
  onRequest?: ((event: CallEvent) => void) | undefined;
  /** When the headers of a response arrive. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Before the wait for another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Once a call, at its end. */
  onEnd?: ((event: EndEvent) => void) | undefined;
  /** When a response differs from the specification but passes. */
  onDrift?: ((event: DriftEvent) => void) | undefined;
}

type HookEvent<Name extends keyof MemoryClientHooks> = Parameters<NonNullable<MemoryClientHooks[Name]>>[0];

/** @internal Calls a hook and swallows what it throws, at once or later. */
export function notifyHook<Name extends keyof MemoryClientHooks>(
  hooks: MemoryClientHooks,
  name: Name,
  event: HookEvent<Name>,
): void {
  void (async () => {
    try {
      await (hooks[name] as ((event: HookEvent<Name>) => unknown) | undefined)?.call(hooks, event);
    } catch {
      // A broken log line is no reason to lose a memory.
    }
  })();
}
