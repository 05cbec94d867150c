import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** Reason for a 401, if the server stated it. */
export type AuthenticationFailure = 'missing_key' | 'invalid_key' | 'unknown';

/**
 * Thrown when the server responds with 401: the API key is missing or invalid. See section 5.4 of the specification.
 */
export class AuthenticationError extends StatusError<StatusErrorInit & { readonly reason: AuthenticationFailure }> {
  static {
    nameErrors(this, 'AuthenticationError');
  }

  readonly code = 'authentication';
  /** Reason, if the server stated it. */
  declare readonly reason: AuthenticationFailure;
}
