import type { MediaKind } from '@memory-read/contract';
import type { Fault } from '../../faults/fault.ts';
import type { FaultMatch, ScheduledFault } from '../../faults/fault-schedule.ts';
import type { WireOperation } from '../wire-log/wire-operation.ts';

/**
 * A failure of a request to a mock server: one that every mock can play, or one of the wire. `'network-error'` resets the
 * connection.
 */
export type ServerFault = Fault | WireFault;

/**
 * A failure that only a mock server can play.
 *
 * - `{ stop, by }`: a response that stops at a place. See {@link StopFault}.
 * - `{ bytesPerSecond }`: the response, whose body is sent at this rate, from 1 to 1,000,000,000.
 * - `{ redirect }`: a redirect with the status 301, 302, 303, 307 or 308.
 * - `{ respond }`: a response of your own. Defaults: the status 200, no headers and no body.
 * - `{ fields }`: a 200 of the API, each memory of which gets these fields.
 * - `{ steps }`: bytes as they are. Without an ending, the connection stays open for the next request.
 * - `'garbage'`: bytes that are not HTTP, then the end of the connection.
 * - `'changed-object'`: media of another size and another `ETag`. The storage obeys `If-Range`.
 * - `'foreign-range'`: the same, but a 206 for each `Range`, whatever `If-Range` says.
 * - `'wrong-range'`: a 206 of the right media, which begins at another byte than the requested one.
 *
 * The last three, and `'no-ranges'`, need the operation `'media'`; `{ fields }` needs requests to the API.
 */
export type WireFault =
  | StopFault
  | { bytesPerSecond: number }
  | {
      /** HTTP status: 301, 302, 303, 307 or 308. */
      redirect: number;
      /**
       * Target. `'elsewhere'` is the same path at `elsewhereUrl`, without the query. `'self'` is the requested address.
       * Other texts are sent as they are. Default: `'elsewhere'`.
       */
      to?: 'elsewhere' | 'self' | (string & {}) | undefined;
    }
  | {
      respond: {
        /** HTTP status from 200 to 599. Default: 200. */
        status?: number | undefined;
        /** Headers, which are sent as they are. The server adds the length. Default: none. */
        headers?: Readonly<Record<string, string>> | undefined;
        /** Body, which is sent as UTF-8. Default: empty. */
        body?: string | undefined;
      };
    }
  | { fields: Readonly<Record<string, unknown>> }
  | { steps: readonly Step[] }
  | 'garbage'
  | 'changed-object'
  | 'foreign-range'
  | 'wrong-range';

/** A response that stops at a place. Bytes before a reset are sent 20 ms earlier. */
export interface StopFault {
  /**
   * Place. `'in-head'` is half of the status line and the headers. `bytes` and `share` count in the body of this response;
   * `share` is a number from 0 to 1.
   */
  stop: 'before-head' | 'in-head' | 'after-head' | { bytes: number } | { share: number };
  /**
   * What happens there: the connection is reset, is ended, or stays open without further bytes. With `tls`, a reset is an
   * end without the closing message of TLS.
   */
  by: 'reset' | 'end' | 'stall';
  /**
   * How the response announces the end of its body. Default: `'length'`, the length of the whole body.
   *
   * - `'chunked'`: chunks, without the last one.
   * - `'close'`: the end of the connection, so that a client cannot see that bytes are missing.
   * - `'exact'`: the length of what is sent. It needs `by: 'end'`.
   */
  framing?: 'length' | 'chunked' | 'close' | 'exact' | undefined;
}

/**
 * A step on a connection. Text is sent unchanged, one byte for each character, so characters above U+00FF are refused.
 * `{origin}` becomes the base URL, `{elsewhere}` the URL of the other origin.
 *
 * - `'stall'` keeps the connection open and sends nothing more; `'end'` and `'reset'` close it.
 * - `{ wait }` is a pause in milliseconds. `{ drip, every }` sends a text again and again, with a pause of this length.
 * - `{ flood }` sends a text again and again. `{ gzip, times }` sends a repeated text, compressed.
 */
export type Step =
  | string
  | 'stall'
  | 'end'
  | 'reset'
  | { readonly wait: number }
  | { readonly drip: string; readonly every: number }
  | { readonly flood: string }
  | { readonly gzip: string; readonly times: number };

/** Conditions for a fault of a mock server. A request must meet all of them. */
export interface ServerFaultMatch extends Omit<FaultMatch, 'operation'> {
  /**
   * What the fault affects. `'media'`: requests for media. `'connection'`: a new connection to the API before a byte of it
   * is read, with `{ stop: 'before-head' }` or `{ steps }`. Default: all requests to the API.
   */
  operation?: WireOperation | 'connection' | undefined;
  /** Kind of the media, with the operation `'media'`. Default: all kinds. */
  kind?: MediaKind | undefined;
}

/** A fault that was scheduled on a mock server. */
export interface ScheduledServerFault extends ScheduledFault {
  /** Name of the fault for `cancel`. */
  readonly id: string;
}

/** A fault as it stands in the schedule. */
export interface ServerFaultState {
  /** Name of the fault, which no later fault of the space has. */
  id: string;
  fault: ServerFault;
  match: ServerFaultMatch;
  /** Number of requests that the fault will still affect; null for all. */
  left: number | null;
  /** Number of requests that the fault has affected. */
  played: number;
}

/** Schedules the faults of a mock server. */
export interface ServerFaultControls {
  /**
   * Applies a fault to the next matching request, or to the next `times` ones. Default: 1. Earlier faults come first.
   *
   * @throws a {@link TypeError} if the fault or an option is invalid.
   * @throws a {@link RangeError} if an option is unknown, or no memory has the id.
   */
  next(
    fault: ServerFault,
    options?: { times?: number | undefined; match?: ServerFaultMatch | undefined },
  ): ScheduledServerFault;
  /**
   * Applies a fault to every matching request that has no `next` fault. The latest one wins.
   *
   * @throws a {@link TypeError} if the fault or an option is invalid.
   * @throws a {@link RangeError} if an option is unknown, or no memory has the id.
   */
  always(fault: ServerFault, options?: { match?: ServerFaultMatch | undefined }): ScheduledServerFault;
  /** Returns the faults that can still be played, those of `next` first. */
  all(): readonly ServerFaultState[];
  /** Removes a fault. Returns false if it is unknown or used up. A request that already stalls continues to stall. */
  cancel(id: string): boolean;
  /** Removes all faults. A request that already stalls continues to stall. */
  clear(): void;
}

/** A fault that needs the connection. All others only change a response. */
export type RawFault =
  | Extract<WireFault, { stop: unknown } | { bytesPerSecond: unknown } | { steps: unknown } | 'garbage'>
  | Extract<ServerFault, 'network-error' | 'stall' | 'cut'>;

/** A fault of a connection before a byte of it is read. */
export type ConnectionFault = Extract<RawFault, { stop: unknown } | { steps: unknown }>;
