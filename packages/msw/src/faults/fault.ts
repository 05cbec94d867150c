/**
 * A failure of a request.
 *
 * - `{ status }`: an error of the API or of a gateway.
 * - `'network-error'`: no response; `fetch` rejects with a `TypeError`.
 * - `'truncated-json'`: the first half of the response body.
 * - `'wrong-content-type'`: the response with the media type `text/html`.
 * - `'contract-violation'`: a response with a missing field and a field of another type, or an error without `detail`.
 * - `'cut'`: the response, whose connection fails after half of the body. A response without a body is complete.
 * - `'no-ranges'`: the whole file, from a storage without byte ranges. It needs `match.media`.
 * - `'stall'`: no response until the caller aborts or the mock is reset.
 * - `{ delay }`: the response after this many milliseconds of the runtime's timers, not of the mock's clock.
 */
export type Fault =
  | StatusFault
  | { delay: number; status?: never }
  | 'network-error'
  | 'truncated-json'
  | 'wrong-content-type'
  | 'contract-violation'
  | 'cut'
  | 'no-ranges'
  | 'stall';

/** An error status in the format of the API, of FastAPI or of a gateway. See section 7 of the specification. */
export interface StatusFault {
  /** HTTP status from 400 to 599. */
  status: number;
  /** Text of the error. Default: the server's text for the status. */
  detail?: string | undefined;
  /** Value of `Retry-After`, in milliseconds, a multiple of 1,000. Default: no such header. */
  retryAfter?: number | undefined;
  /**
   * Value of `Retry-After`, in seconds.
   *
   * @deprecated Use `retryAfter`, in milliseconds. It will be removed in 1.0.
   */
  retryAfterSeconds?: number | undefined;
  /**
   * Format of `Retry-After`. Default: `'seconds'`. `'date'` is a date on the clock of the mock, rounded up to a second.
   */
  retryAfterStyle?: 'seconds' | 'date' | undefined;
  /** Further headers, which are sent as they are and replace others of the same name. Default: none. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Format of the body. Default: `'json'`, which is `{"detail": "…"}`.
   *
   * - `'text'` and `'html'` are bodies of a crashed server or a gateway.
   * - `'xml'` is a body of S3 and of storages like it.
   * - `'fastapi'` is a list of issues for 422, text for 500, and JSON for all others.
   */
  style?: 'json' | 'text' | 'html' | 'xml' | 'fastapi' | undefined;
  delay?: never;
}
