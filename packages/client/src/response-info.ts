/** What is known of the response behind a returned value. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** The response's headers. */
  readonly headers: Headers;
  /** The server's `X-Request-Id`, if it sent one. */
  readonly requestId: string | undefined;
  /** When the headers arrived, by the local clock. */
  readonly receivedAt: Date;
  /** The response's `Date`: the server's clock, by which signed URLs expire. */
  readonly serverDate: Date | undefined;
  /** Attempts that the call took. */
  readonly attempts: number;
}

const infos = new WeakMap<object, () => ResponseInfo>();

/**
 * The response behind a value that a method of the client returned: a memory, a list, or a memory in a list.
 *
 * It is kept beside the value, not in it: nothing is added there but null for absent fields. A copy has none.
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
