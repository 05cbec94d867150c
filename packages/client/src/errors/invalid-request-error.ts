import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** One issue that the server found in a request. */
export interface RequestIssue {
  /** Path to the issue, such as `['path', 'memory_id']`. */
  readonly path: readonly (string | number)[];
  /** Message of the server. */
  readonly message: string;
  /** The server's name for this kind of issue, if any. */
  readonly type?: string | undefined;
}

/**
 * Thrown when the server responds with 422: it rejects the request as malformed. See section 7 of the specification,
 * which leaves the body open.
 */
export class InvalidRequestError extends StatusError<StatusErrorInit & { readonly issues: readonly RequestIssue[] }> {
  static {
    nameErrors(this, 'InvalidRequestError');
  }

  readonly code = 'invalid_request';
  /** Issues that the server listed; empty if it listed none. */
  declare readonly issues: readonly RequestIssue[];
}
