import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** One thing that the server found wrong with a request. */
export interface RequestIssue {
  /** Where, such as `['path', 'memory_id']`. */
  readonly path: readonly (string | number)[];
  /** What, in the server's words. */
  readonly message: string;
  /** The server's name for this kind of issue. */
  readonly type?: string | undefined;
}

/** 422: the server holds the request for malformed. See section 7 of the specification, which leaves the body open. */
export class InvalidRequestError extends StatusError<StatusErrorInit & { readonly issues: readonly RequestIssue[] }> {
  static {
    nameErrors(this, 'InvalidRequestError');
  }

  readonly code = 'invalid_request';
  /** The single issues where the server listed them; else empty. */
  declare readonly issues: readonly RequestIssue[];
}
