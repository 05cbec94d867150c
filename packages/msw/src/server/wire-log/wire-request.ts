import type { MediaKind } from '@memory-read/contract';
import type { AuthScheme } from '../../request-log/request-log.ts';
import type { ServerFault } from '../faults/wire-fault.ts';
import type { WireOperation } from './wire-operation.ts';

/** A request that arrived at a mock server, as a frozen copy without its key and its query. */
export interface WireRequest {
  /** Number of the entry, from 1 on. A stall keeps it when the connection closes. */
  seq: number;
  /** Time of the request, by the clock of the space. */
  at: Date;
  /** Real milliseconds from the opening of the space, or its last reset, to the request. */
  elapsed: number;
  to: 'api' | 'media' | 'elsewhere';
  operation: WireOperation | null;
  memoryId: string | null;
  kind: MediaKind | null;
  method: string;
  /** Path as it was sent. Keys of the space in it are replaced by `[key]`. */
  path: string;
  hasQuery: boolean;
  /** Headers by lowercase name. `[redacted]` replaces keys and cookies, `[key]` a key elsewhere. URLs have no query. */
  headers: Readonly<Record<string, string>>;
  bodyBytes: number;
  /** Number of the connection on which the request arrived, from 1 on. */
  connection: number;
  /** How a key was sent, whether or not it was accepted. See section 5 of the specification. */
  auth: AuthScheme;
  /** Header names, `'query'`, `'path'` and `'body'` in which a key of the space was found. */
  keyIn: readonly string[];
  /** Fault that was scheduled for the request, without keys and queries; null if none was. */
  fault: ServerFault | null;
  /** Status of the response; null if none was sent. */
  status: number | null;
  /** Bytes of the response's body that were sent. */
  bytes: number;
  /**
   * `'sent'`: the whole response was written. `'fault'`: a fault ended it. `'aborted'`: the client closed the connection
   * before. Null: a fault stalls.
   */
  ended: 'sent' | 'fault' | 'aborted' | null;
  /** Real milliseconds from the request to its end; null during a stall. */
  endedAfter: number | null;
}
