import type { OperationId } from '@memory-read/contract/operations';
import type { CallEvent } from '../client-hooks.ts';
import type { CallSettings } from '../configuration/client-settings.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import type { ErrorContext } from '../errors/memory-api-error.ts';
import { redact } from './redact.ts';
import type { Runtime } from './runtime.ts';

/** What a call asks for. */
export interface CallTarget {
  readonly operation: OperationId;
  readonly method: string;
  /** Has no query: no operation takes one. */
  readonly url: string;
  /** What it does, as errors say it: "Failed to {action}", and there the memory's id. */
  readonly action: string;
  /** The memory asked for, which may be anything; absent for a list. */
  readonly memoryId?: string | undefined;
}

/** One call of the API, from its first attempt to its end. */
export interface Call extends CallTarget {
  readonly id: string;
  readonly settings: CallSettings;
  readonly signal: AbortSignal | undefined;
  readonly runtime: Runtime;
  readonly startedAt: number;
  /** Every key used so far; they never leave the transport. */
  readonly apiKeys: Set<string>;
  /** The attempt under way, from 1; 0 before the first. */
  attempt: number;
  /** What an earlier attempt failed with, timeouts aside: the cause that a timeout names. */
  lastFailure?: AnyMemoryApiError;
}

export function createCall(target: CallTarget, means: Pick<Call, 'settings' | 'signal' | 'runtime'>): Call {
  const id = means.runtime.random().toString(36).slice(2);
  const { apiKey } = means.settings;
  const apiKeys = new Set(typeof apiKey === 'string' && apiKey !== '' ? [apiKey] : []);
  return { ...target, ...means, id, apiKeys, startedAt: means.runtime.uptime(), attempt: 0 };
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

/** A text as it may leave the call, in an error or an event. */
export function redactText(call: Call, text: string): string {
  return redact(text, call.apiKeys);
}

/** The id as it may be shown: a caller can pass anything for it, a signed URL or the key too. */
export function shownMemoryId(call: Call): string | undefined {
  return call.memoryId === undefined ? undefined : redactText(call, call.memoryId);
}

export function callEvent(call: Call): CallEvent {
  return { callId: call.id, operation: call.operation, url: redactText(call, call.url), attempt: call.attempt };
}

export function failureMessage(call: Call, problem: string, remedy: string): string {
  const memoryId = shownMemoryId(call);
  const action = memoryId === undefined ? call.action : `${call.action} ${JSON.stringify(memoryId)}`;
  return `Failed to ${action}: because ${problem}. ${remedy}`;
}

export function errorContext(call: Call, requestId?: string): ErrorContext {
  return { request: { method: call.method, url: redactText(call, call.url), attempts: call.attempt }, requestId };
}
