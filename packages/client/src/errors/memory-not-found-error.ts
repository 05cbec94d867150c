import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/**
 * Thrown when the memory does not exist or belongs to another account (404). The API does not say which.
 *
 * See section 4.2.2 of the specification.
 */
export class MemoryNotFoundError extends StatusError<StatusErrorInit & { readonly memoryId: string }> {
  static {
    nameErrors(this, 'MemoryNotFoundError');
  }

  readonly code = 'not_found';
  /** Requested id. Keys and queries of URLs in it are redacted. */
  declare readonly memoryId: string;
}
