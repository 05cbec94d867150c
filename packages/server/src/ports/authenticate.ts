/**
 * Returns the account that owns an API key, or `undefined` if the key is unknown, revoked or expired.
 *
 * The optional `keyId` names the key in `onRequest`. It must not be the key itself.
 *
 * Write your own, or use `apiKeyAuthenticator`. See section 5 of the specification.
 */
export type Authenticate = (
  key: string,
  context?: AuthenticateContext | undefined,
) => Promise<{ userId: string; keyId?: string | undefined } | undefined>;

/** The request whose key is checked. */
export interface AuthenticateContext {
  /** Aborts when the caller has closed the connection. Pass it on to what the check waits for. */
  readonly signal: AbortSignal;
  /** Passes the reason, and the id of the key, on to `onRequest`. No response contains it. */
  refuse(reason: Extract<KeyRefusal, 'revoked' | 'expired'>, keyId?: string | undefined): void;
}

/** Why a request has no account: no key was sent, or a malformed, unknown, revoked or expired one. */
export type KeyRefusal = 'missing' | 'unknown' | 'revoked' | 'expired';
