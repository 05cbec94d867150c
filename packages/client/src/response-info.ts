import type { InvalidResponseError } from './errors/errors.ts';
import type { LeftOut } from './validation/left-out.ts';

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

/** What a response said. Another installed version of the package may read it. */
export interface ResponseFacts extends LeftOut {
  /** Number of memories in the list. If one is removed, the list no longer says what the response said. */
  readonly length: number | undefined;
  /** Returns the info, which is created at its first use. */
  readonly info: () => ResponseInfo;
}

/** The registry is global, so all installed copies of the package find the facts, also through a proxy. */
const factsKey = Symbol.for('@memory-read/client/response');
/** A draft of Immer that was read from or changed is a copy without the property. What is below this key has the original. */
const draftKey = Symbol.for('immer-state');

/**
 * Returns the HTTP response behind a value that the client returned: a memory, a list, or a memory of a list.
 *
 * Proxies keep it, such as those of Vue and drafts of Immer, and so do `renameSpeakers` and the queries of `/query`. Other
 * copies lose it, such as `{ ...memory }`, `list.filter(…)`, JSON and a result of Immer. So does a list from which you
 * remove a memory. For them the result is undefined: whether `validation: 'skip'` left out memories is then unknown. All
 * installed copies of the package agree. See section 4 of the specification.
 *
 * @example
 * ```ts
 * const memory = await client.getMemory('mem_1');
 * console.log(responseInfo(memory)?.requestId);
 * ```
 */
export function responseInfo(value: object): ResponseInfo | undefined {
  return factsOf(value)?.info();
}

/** Attaches the facts to a memory, or to a list and each memory of it. */
export function attachFacts(value: unknown, facts: ResponseFacts): void {
  // State libraries make proxies of plain objects, and a draft of Immer is revoked later.
  const attached = Object.assign(Object.create({}), facts);
  for (const object of Array.isArray(value) ? [value, ...value] : [value]) defineFacts(object, attached);
}

/**
 * Returns `to` with the response of `from`, unless it came with a later one. If `to` is frozen, a copy is returned.
 */
export function passFacts<To extends object>(from: object, to: To): To {
  const facts = factsOf(from);
  const known = responseInfo(to);
  if (!facts || (known && known.receivedAt > facts.info().receivedAt) || defineFacts(to, facts)) return to;
  const copy = (Array.isArray(to) ? [...to] : { ...to }) as To;
  defineFacts(copy, facts);
  return copy;
}

/** Returns what the response of a value said, such as what was left out of a list; undefined if that is unknown. */
export function factsOf(value: object): ResponseFacts | undefined {
  const draft = Object(value)[draftKey];
  const facts: ResponseFacts | undefined = [value, ...Object.values(draft ?? {})]
    .map((object) => Object(object)[factsKey])
    .find(Boolean);
  return Array.isArray(value) && value.length !== facts?.length ? undefined : facts;
}

/**
 * The property is not enumerable, so that JSON, spreads, comparisons and loggers do not show it. Without validation, an
 * item of a list can be a primitive value, which cannot have it.
 */
function defineFacts(object: unknown, value: object): boolean {
  return Reflect.defineProperty(Object(object), factsKey, { value, configurable: true, writable: true });
}
