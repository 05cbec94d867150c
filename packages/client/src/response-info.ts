import type { InvalidResponseError } from './errors/errors.ts';

/** A memory that `validation: 'skip'` left out of a list. */
export interface SkippedMemory {
  /** Id of the memory; undefined if it cannot be read. */
  readonly memoryId: string | undefined;
  /** First violation of the specification. */
  readonly error: InvalidResponseError;
}

/** The HTTP response behind a returned value. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response; empty if it has none. Those of SvelteKit throw for names that the app does not list. */
  readonly headers: Headers;
  /** `X-Request-Id` of the response, if the server sent one. */
  readonly requestId: string | undefined;
  /** Time at which the headers arrived, by the local clock. */
  readonly receivedAt: Date;
  /** `Date` of the response: the time of the server, whose clock decides when signed URLs expire. */
  readonly serverDate: Date | undefined;
  /** Number of attempts that the call made. */
  readonly attempts: number;
  /** Memories that `validation: 'skip'` left out of the list. Empty in any other mode, and for a single memory. */
  readonly skipped: readonly SkippedMemory[];
}

const infos = new WeakMap<object, () => ResponseInfo>();

/**
 * Returns the HTTP response behind a value that the client returned: a memory, a list, or a memory of a list.
 *
 * Returns undefined for any other value, also for a copy. See section 4 of the specification.
 *
 * @example
 * ```ts
 * const memory = await client.getMemory('mem_1');
 * console.log(responseInfo(memory)?.requestId);
 * ```
 */
export function responseInfo(value: object): ResponseInfo | undefined {
  return infos.get(value)?.();
}

/** @internal */
export function attachResponseInfo(value: unknown, info: () => ResponseInfo): void {
  const objects = Array.isArray(value) ? [value, ...value] : [value];
  for (const object of objects) {
    if (typeof object === 'object' && object !== null) infos.set(object, info);
  }
}

/** Lets `to` stand for the response of `from` too, unless it came with a later one. */
export function passResponseInfo(from: object, to: object): void {
  const info = infos.get(from);
  const known = responseInfo(to);
  if (info && !(known && known.receivedAt > info().receivedAt)) infos.set(to, info);
}
