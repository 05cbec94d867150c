import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/**
 * 404: the memory does not exist or belongs to another account; the API does not tell which.
 *
 * See section 4.2.2 of the specification.
 */
export class MemoryNotFoundError extends StatusError<StatusErrorInit & { readonly memoryId: string }> {
  static {
    nameErrors(this, 'MemoryNotFoundError');
  }

  readonly code = 'not_found';
  /** The id that was asked for; redacted where it holds a key or the query of a URL. */
  declare readonly memoryId: string;
}
