import type { OperationId } from '@memory-read/contract/operations';
import { redact } from '@memory-read/contract/redaction';
import { type CallEvent, type HookEvent, notifyHook } from '../client-hooks.ts';
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
  /** What it does, as errors say it: "Failed to {action}", and there the memory's id. */
  readonly action: string;
  /** The memory asked for, which may be anything; absent for a list. */
  readonly memoryId?: string | undefined;
  /** Where calls that belong together keep the keys that they use; else each has its own. */
  readonly apiKeys?: Set<string> | undefined;
  /** When what the call is a part of began, which its total timeout is for; else when it begins itself. */
  readonly startedAt?: number | undefined;
}

/** One call of the API, from its first attempt to its end. */
export interface Call extends CallTarget {
  readonly id: string;
  readonly settings: CallSettings;
  /** The caller's, which may be one of another realm. */
  readonly signal: AbortSignal | undefined;
  readonly runtime: Runtime;
  readonly startedAt: number;
  /** Every key used so far; they never leave the transport. */
  readonly apiKeys: Set<string>;
  /** The key of the current attempt; absent before a function has returned one, and if no key is sent. */
  apiKey?: string;
  /** The current attempt, from 1; 0 before the first. */
  attempt: number;
  /** What an earlier attempt failed with, timeouts aside: the cause that a timeout names. */
  lastFailure?: AnyMemoryApiError;
}

export function createCall(target: CallTarget, means: Pick<Call, 'settings' | 'runtime' | 'signal'>): Call {
  const { settings, runtime } = means;
  const id = runtime.random().toString(36).slice(2);
  const { auth, apiKey } = settings;
  const { startedAt = runtime.uptime(), apiKeys = new Set() } = target;
  const call: Call = { ...target, ...means, id, apiKeys, startedAt, attempt: 0 };
  if (typeof apiKey !== 'string' || apiKey === '') return call;
  apiKeys.add(apiKey);
  if (auth !== 'none') call.apiKey = apiKey;
  return call;
}

/** Sets the key of the current attempt. */
export function useApiKey(call: Call, apiKey: string): void {
  call.apiKey = apiKey;
  call.apiKeys.add(apiKey);
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

/** Calls the hook, if there is one. Without a hook, no event is created. */
export function emitEvent<Name extends 'onRequest' | 'onResponse' | 'onRetry' | 'onEnd'>(
  call: Call,
  name: Name,
  fields: Omit<HookEvent<Name>, keyof CallEvent>,
): void {
  const { id: callId, operation, attempt, settings } = call;
  if (!settings.hooks[name]) return;
  const event = { callId, operation, url: redactText(call, call.url), attempt, ...fields };
  notifyHook(settings.hooks, name, event as HookEvent<Name>);
}

export function failureMessage(call: Call, problem: string, remedy: string): string {
  const memoryId = shownMemoryId(call);
  const action = memoryId === undefined ? call.action : `${call.action} ${JSON.stringify(memoryId)}`;
  return `Failed to ${action}: because ${problem}. ${remedy}`;
}

export function errorContext(call: Call, requestId?: string): ErrorContext {
  return {
    request: { method: call.method, url: redactText(call, call.url), attempts: call.attempt },
    ...(requestId !== undefined && { requestId }),
  };
}
