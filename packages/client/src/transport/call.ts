import { quietly } from '@memory-read/contract/event-loop';
import type { OperationId } from '@memory-read/contract/operations';
import { redact } from '@memory-read/contract/redaction';
import type { CallSite } from '../call-site.ts';
import { type ClientState, hideKey } from '../client.ts';
import type { CallEvent, MemoryClientHooks } from '../client-hooks.ts';
import type { CallSettings } from '../configuration/client-settings.ts';
import { type ErrorContext, RequestTimeoutError } from '../errors/errors.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { describeTimeout, type ExpiredTimeout, remainingTime, runtime } from './deadline.ts';
import { safeHeaders } from './safe-headers.ts';

/** What a call requests. */
export interface CallTarget<Id extends OperationId = OperationId> {
  readonly operation: Id;
  /** The id as the caller passed it, which may be anything; absent for a list. */
  readonly memoryId?: string | undefined;
  /** When the total timeout began, by the runtime's uptime. Default: now. */
  readonly startedAt?: number | undefined;
  /** Where the caller called the client. */
  readonly site: CallSite;
}

/** One call of the API, with all its attempts. */
export interface Call extends CallTarget {
  readonly client: ClientState;
  readonly startedAt: number;
  settings: CallSettings;
  /** The headers that the caller passed to the call. */
  headers: Record<string, string> | undefined;
  /** The caller's signal, which may be one of another realm. */
  signal: AbortSignal | undefined;
  /** The URL without a query: no operation takes one. */
  url: string;
  /** Absent until an event needs it. */
  id: string | undefined;
  /** The key of the current attempt; absent before a function has returned one, and if no key is sent. */
  apiKey: string | undefined;
  /** Whether the apiKey function has already returned the key of the next attempt. */
  hasFreshKey: boolean;
  /** The current attempt, from 1; 0 before the first. */
  attempt: number;
  /** The last failure that was not a timeout: the `cause` of a later timeout. */
  lastFailure: AnyMemoryApiError | undefined;
}

/** Returns a new call, always with the same fields in the same order. */
export function createCall(client: ClientState, target: CallTarget, url: string): Call {
  const { settings } = client;
  const { operation, memoryId, site, startedAt = runtime.uptime() } = target;
  return {
    operation,
    memoryId,
    startedAt,
    site,
    client,
    settings,
    headers: undefined,
    signal: undefined,
    url,
    id: undefined,
    apiKey: typeof settings.apiKey === 'string' ? settings.apiKey : undefined,
    hasFreshKey: false,
    attempt: 0,
    lastFailure: undefined,
  };
}

/** Sets the key of the current attempt. */
export function setApiKey(call: Call, apiKey: string): void {
  call.apiKey = apiKey;
  hideKey(call.client, apiKey);
}

/** Returns the text without keys and queries of signed URLs, for errors and events. */
export function redactText(call: Call, text: string): string {
  return redact(text, secretsOf(call));
}

/** Returns the keys that no error or event may show. */
export function secretsOf({ client, apiKey }: Pick<Call, 'client' | 'apiKey'>): string[] {
  return [...client.apiKeys, ...(apiKey === undefined ? [] : [apiKey])];
}

/** Returns the id of the call for events. */
export function callIdOf(call: Call): string {
  call.id ??= runtime.random().toString(36).slice(2);
  return call.id;
}

/** Returns the id of the memory for errors and events. It is redacted, because a caller can pass anything, even the key. */
export function shownMemoryId(call: Call): string | undefined {
  return call.memoryId === undefined ? undefined : redactText(call, call.memoryId);
}

type HookEvent<Name extends keyof MemoryClientHooks> = Parameters<NonNullable<MemoryClientHooks[Name]>>[0];

/** Calls the hook, if there is one. Without a hook, no event is created. */
export function emitEvent<Name extends 'onRequest' | 'onResponse' | 'onRetry' | 'onEnd'>(
  call: Call,
  name: Name,
  fields: Omit<HookEvent<Name>, keyof CallEvent>,
): void {
  const hook = call.client.settings.hooks[name] as ((event: object) => unknown) | undefined;
  const { operation, attempt, url } = call;
  if (hook) quietly(() => hook({ callId: callIdOf(call), operation, url: redactText(call, url), attempt, ...fields }));
}

/** Returns the message of an error. The problem ends with its remedy. */
export function failureMessage(call: Call, problem: string): string {
  return `Failed to ${describeAction(call)}: ${problem}`;
}

/** Returns the host and its port, for messages. */
export function shownHost(call: Call): string {
  const { host, port, protocol } = new URL(call.url);
  return redactText(call, port ? host : `${host}:${protocol === 'https:' ? 443 : 80}`);
}

/** Returns the action in messages, such as "list memories". */
export function describeAction(call: Call): string {
  if (call.operation === 'listMemories') return 'list memories';
  return `get memory ${JSON.stringify(redactText(call, String(call.memoryId)))}`;
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

export function timeoutError(call: Call, expired: ExpiredTimeout, head?: ErrorHead): RequestTimeoutError {
  const { limit, timeoutMs } = expired;
  const late = describeTimeout(expired, 'the response was not complete');
  const init = { ...errorContext(call, head), limit, timeoutMs, cause: call.lastFailure };
  return new RequestTimeoutError(failureMessage(call, late), init);
}

/** Throws once the total timeout has passed: no timer can interrupt parsing and validation, and timers can fire late. */
export function throwIfTimedOut(call: Call, head?: ErrorHead): void {
  const { totalTimeout } = call.settings;
  if (totalTimeout === false || remainingTime(call) > 0) return;
  throw timeoutError(call, { limit: 'total', timeoutMs: totalTimeout }, head);
}
