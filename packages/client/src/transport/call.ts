import type { OperationId } from '@memory-read/contract/operations';
import { redact } from '@memory-read/contract/redaction';
import type { CallSite } from '../call-site.ts';
import type { CallEvent, HookEvent } from '../client-hooks.ts';
import { addressSource } from '../configuration/base-url.ts';
import type { CallSettings } from '../configuration/client-settings.ts';
import type { ErrorContext } from '../errors/errors.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { notify } from '../notify.ts';
import type { Runtime } from './runtime.ts';
import { safeHeaders } from './safe-headers.ts';

/** What a call requests. */
export interface CallTarget {
  readonly operation: OperationId;
  /** The URL without a query: no operation takes one. */
  readonly url: string;
  /** The action in error messages: "Failed to {action}", followed by the id of the memory. */
  readonly action: string;
  /** The id as the caller passed it, which may be anything; absent for a list. */
  readonly memoryId?: string | undefined;
  /** Collects the keys of calls that belong together; without it, a call has its own set. */
  readonly apiKeys?: Set<string> | undefined;
  /** Keys of the client that the call may not use, but that no error shows. */
  readonly ownKeys: readonly string[];
  /** When the total timeout began, by the runtime's uptime. Default: now. */
  readonly startedAt?: number | undefined;
  /** Where the caller called the client. */
  readonly site: CallSite;
}

/** One call of the API, with all its attempts. */
export interface Call extends CallTarget {
  readonly id: string;
  readonly settings: CallSettings;
  /** The caller's signal, which may be one of another realm. */
  readonly signal: AbortSignal | undefined;
  readonly runtime: Runtime;
  readonly startedAt: number;
  /** Every key used so far. They never leave the transport. */
  readonly apiKeys: Set<string>;
  /** The key of the current attempt; absent before a function has returned one, and if no key is sent. */
  apiKey?: string;
  /** Whether the apiKey function has already returned the key of the next attempt. */
  hasFreshKey?: boolean;
  /** The current attempt, from 1; 0 before the first. */
  attempt: number;
  /** The last failure that was not a timeout: the `cause` of a later timeout. */
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
export function setApiKey(call: Call, apiKey: string): void {
  call.apiKey = apiKey;
  call.apiKeys.add(apiKey);
}

/** Returns the milliseconds since the call began. */
export function elapsedTime(call: Call): number {
  return call.runtime.uptime() - call.startedAt;
}

/** Returns the milliseconds that are left of the total timeout. */
export function remainingTime(call: Call): number {
  const { totalTimeout } = call.settings;
  return totalTimeout === false ? Number.POSITIVE_INFINITY : totalTimeout - elapsedTime(call);
}

/** Returns the text without keys and queries of signed URLs, for errors and events. */
export function redactText(call: Call, text: string): string {
  return redact(text, secretsOf(call));
}

/** Returns the keys that no error or event may show. */
export function secretsOf({ apiKeys, ownKeys }: Call): string[] {
  return [...apiKeys, ...ownKeys];
}

/** Returns the id for errors and events. It is redacted, because a caller can pass anything, even the key. */
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
  notify(settings.hooks[name] as ((event: object) => unknown) | undefined, event);
}

export function failureMessage(call: Call, problem: string, remedy: string): string {
  return `Failed to ${describeAction(call)}: ${problem}. ${remedy}`;
}

/** Returns where the base URL comes from, for messages. */
export function baseUrlSource({ settings }: Call): string {
  return addressSource(settings.baseUrl);
}

/** Returns the host and its port, for messages. */
export function shownHost(call: Call): string {
  const { host, port, protocol } = new URL(call.url);
  return redactText(call, port ? host : `${host}:${protocol === 'https:' ? 443 : 80}`);
}

/** Returns the action in messages, such as "list memories". */
export function describeAction(call: Call): string {
  const memoryId = shownMemoryId(call);
  return memoryId === undefined ? call.action : `${call.action} ${JSON.stringify(memoryId)}`;
}

/** The part of a response that errors show. */
export interface ErrorHead {
  readonly requestId: string | undefined;
  readonly headers: Headers;
}

export function errorContext(call: Call, head?: ErrorHead): ErrorContext {
  return {
    request: { method: 'GET', url: redactText(call, call.url), attempts: call.attempt },
    ...(head && { requestId: head.requestId, responseHeaders: safeHeaders(head.headers, secretsOf(call)) }),
  };
}
