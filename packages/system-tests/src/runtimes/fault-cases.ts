/** The runtimes, of Node the one of this repository and the oldest that the packages name. */
export type RuntimeName = 'Node' | 'oldest Node' | 'Bun' | 'Deno' | 'workerd';

/** What the caller does with one fault of the server, and what has to come of it on every runtime. */
export interface FaultCase {
  /** Names the fault, and is the path prefix under which the server answers with it. */
  readonly fault: string;
  /** The code of the error and what tells it from others of that code; or `value`; or `own reason` of an abort. */
  readonly outcome: string;
  /** Requests that the server sees, which is also what the error or the response info says. */
  readonly attempts: number;
  /** Whether no request reaches the server. */
  readonly isUnseen?: true | undefined;
  /** What a runtime makes of it instead, where the client cannot tell. */
  readonly except?: Partial<Record<RuntimeName, Partial<Pick<FaultCase, 'outcome' | 'attempts'>>>> | undefined;
  /** Reads one memory; otherwise all are listed. */
  readonly readsOne?: true | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout?: number | undefined;
  /** Milliseconds for the whole call. */
  readonly totalTimeout?: number | undefined;
  /** The event of the call at which the caller aborts it. */
  readonly abortAt?: 'onRequest' | 'onResponse' | 'onRetry' | undefined;
}

/** Two extra attempts are allowed, so 3 means tried again to the end, and 1 not tried again. */
export const faultCases: readonly FaultCase[] = [
  { fault: '500', outcome: 'server 500', attempts: 3 },
  { fault: '502', outcome: 'server 502', attempts: 3 },
  { fault: '503', outcome: 'server 503', attempts: 3 },
  { fault: '504', outcome: 'server 504', attempts: 3 },
  { fault: '408', outcome: 'unexpected_response 408', attempts: 3 },
  { fault: '429', outcome: 'rate_limited 429', attempts: 3 },
  { fault: '429-then-200', outcome: 'value', attempts: 2 },
  { fault: '503-of-an-hour', outcome: 'server 503', attempts: 1 },
  { fault: '501', outcome: 'server 501', attempts: 1 },
  { fault: '400', outcome: 'unexpected_response 400', attempts: 1 },
  { fault: '401', outcome: 'authentication invalid_key', attempts: 1 },
  { fault: '404', outcome: 'not_found 404', attempts: 1, readsOne: true },
  { fault: '422', outcome: 'invalid_request 422', attempts: 1, readsOne: true },
  { fault: '302-elsewhere', outcome: 'unexpected_response 302', attempts: 1 },
  { fault: '307-elsewhere', outcome: 'unexpected_response 307', attempts: 1 },
  { fault: '301-to-itself', outcome: 'unexpected_response 301', attempts: 1 },
  { fault: '304', outcome: 'unexpected_response 304', attempts: 1 },
  { fault: '204', outcome: 'unexpected_response 204', attempts: 1 },
  { fault: '206', outcome: 'invalid_response partial', attempts: 1 },
  { fault: 'next-page', outcome: 'invalid_response partial', attempts: 1 },
  { fault: 'broken-json', outcome: 'invalid_response not_json', attempts: 3 },
  { fault: 'html', outcome: 'invalid_response not_json', attempts: 3 },
  { fault: 'empty-200', outcome: 'invalid_response not_json', attempts: 3 },
  { fault: 'broken-structure', outcome: 'invalid_response structure', attempts: 1, readsOne: true },
  { fault: 'refused', outcome: 'connection', attempts: 3, isUnseen: true },
  { fault: 'reset', outcome: 'connection', attempts: 3 },
  { fault: 'closed', outcome: 'connection', attempts: 3 },
  { fault: 'no-http', outcome: 'connection', attempts: 3 },
  { fault: 'reset-then-200', outcome: 'value', attempts: 2 },
  { fault: 'cut-length', outcome: 'connection', attempts: 3 },
  { fault: 'cut-length-reset', outcome: 'connection', attempts: 3 },
  {
    fault: 'cut-chunks',
    outcome: 'connection',
    attempts: 3,
    // It takes the end of the connection for that of the body.
    except: { 'oldest Node': { outcome: 'invalid_response not_json' } },
  },
  { fault: 'cut-404', outcome: 'connection', attempts: 3, readsOne: true },
  { fault: 'cut-500', outcome: 'server 500', attempts: 3 },
  { fault: 'bad-gzip', outcome: 'connection', attempts: 3 },
  // workerd tells nothing but the number of an internal error.
  { fault: 'untrusted', outcome: 'connection', attempts: 1, except: { workerd: { attempts: 3 } } },
  { fault: 'silent', outcome: 'timeout attempt', attempts: 3, timeout: 200 },
  { fault: 'stalled', outcome: 'timeout attempt', attempts: 3, timeout: 200 },
  { fault: 'silent-in-all', outcome: 'timeout total', attempts: 1, totalTimeout: 200 },
  { fault: 'silent-aborted', outcome: 'own reason', attempts: 1, abortAt: 'onRequest' },
  { fault: 'stalled-aborted', outcome: 'own reason', attempts: 1, abortAt: 'onResponse' },
  { fault: '503-aborted', outcome: 'own reason', attempts: 1, abortAt: 'onRetry' },
];
