import type { OperationId } from '@memory-read/contract/operations';
import type { CallEvent } from '../client-hooks.ts';
import type { CallSettings } from '../configuration/client-settings.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import type { ErrorContext } from '../errors/memory-api-error.ts';
import type { Runtime } from './runtime.ts';

/** What a call asks for. */
export interface CallTarget {
  readonly operation: OperationId;
  readonly method: string;
  /** Has no query: no operation takes one. */
  readonly url: string;
  /** What it does, as errors say it: "Failed to {action}". */
  readonly action: string;
  /** The memory asked for; absent for a list. */
  readonly memoryId?: string | undefined;
}

/** One call of the API, from its first attempt to its end. */
export interface Call extends CallTarget {
  readonly id: string;
  readonly settings: CallSettings;
  readonly signal: AbortSignal | undefined;
  readonly runtime: Runtime;
  readonly startedAt: number;
  /** The attempt under way, from 1; 0 before the first. */
  attempt: number;
  /** What an earlier attempt failed with, timeouts aside: the cause that a timeout names. */
  lastFailure?: AnyMemoryApiError;
}

export function createCall(target: CallTarget, means: Pick<Call, 'settings' | 'signal' | 'runtime'>): Call {
  const id = means.runtime.random().toString(36).slice(2);
  return { ...target, ...means, id, startedAt: means.runtime.uptime(), attempt: 0 };
}

/** Milliseconds since the call began. */
export function elapsedTime(call: Call): number {
  return call.runtime.uptime() - call.startedAt;
}

/** Milliseconds left of the total timeout. */
export function remainingTime(call: Call): number {
  const { totalTimeout } = call.settings;
  return totalTimeout === false ? Number.POSITIVE_INFINITY : totalTimeout - elapsedTime(call);
}

export function callEvent({ id, operation, url, attempt }: Call): CallEvent {
  return { callId: id, operation, url, attempt };
}

export function errorContext({ method, url, attempt }: Call, requestId?: string): ErrorContext {
  return { request: { method, url, attempts: attempt }, requestId };
}
