import { MemoryApiError, nameErrors } from './memory-api-error.ts';

/** No whole response arrived: refused, reset, DNS, TLS, or a body cut short. Its `cause` names the fault. */
export class ConnectionError extends MemoryApiError {
  static {
    nameErrors(this, 'ConnectionError');
  }

  readonly code = 'connection';
}
