import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/**
 * Reason for a failed connection.
 *
 * - `unreachable`: no response arrived.
 * - `cut`: the connection was lost before the body was complete.
 * - `certificate`: the certificate of the server was rejected.
 * - `permission`: the runtime has no permission to use the network.
 * - `proxy`: a proxy refused the connection.
 */
export type ConnectionFailure = 'unreachable' | 'cut' | 'certificate' | 'permission' | 'proxy';

/** Fields of a {@link ConnectionError}. */
export interface ConnectionErrorInit extends ErrorContext {
  readonly reason: ConnectionFailure;
  readonly faultCode?: string | undefined;
  readonly proxyStatus?: number | undefined;
}

/** Thrown when no complete response arrives: the connection failed, or the body was cut. */
export class ConnectionError extends MemoryApiError<ConnectionErrorInit> {
  static {
    nameErrors(this, 'ConnectionError');
  }

  readonly code = 'connection';
  /** Reason for the failure. A minor version can add reasons. */
  declare readonly reason: ConnectionFailure;
  /** Code of the runtime, such as `ECONNREFUSED`, if it has one. */
  declare readonly faultCode?: string;
  /** HTTP status with which a proxy refused the connection, if one did. */
  declare readonly proxyStatus?: number;
}
