import { MemoryApiError, nameErrors } from './memory-api-error.ts';

/**
 * Thrown when no complete response arrives: the connection failed, or the body was cut. Its `cause` names the fault.
 */
export class ConnectionError extends MemoryApiError {
  static {
    nameErrors(this, 'ConnectionError');
  }

  readonly code = 'connection';
}
