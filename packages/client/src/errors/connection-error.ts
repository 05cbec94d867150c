import { MemoryApiError } from './memory-api-error.ts';

/** No whole response arrived: refused, reset, DNS, TLS, or a body cut short. Its `cause` names the fault. */
export class ConnectionError extends MemoryApiError {
  readonly code = 'connection';

  override get name(): 'ConnectionError' {
    return 'ConnectionError';
  }
}
