import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** Why a request was not authenticated, as far as the server told. */
export type AuthenticationFailure = 'missing_key' | 'invalid_key' | 'unknown';

/** 401: no API key arrived, or not one that is valid. See section 5.4 of the specification. */
export class AuthenticationError extends StatusError<StatusErrorInit & { readonly reason: AuthenticationFailure }> {
  static {
    nameErrors(this, 'AuthenticationError');
  }

  readonly code = 'authentication';
  /** Why, as far as the server told. */
  declare readonly reason: AuthenticationFailure;
}
