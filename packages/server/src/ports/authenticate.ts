/**
 * Returns the account that owns an API key, or `undefined` if the key is unknown, revoked or expired.
 *
 * The optional `keyId` names the key in `onRequest`. It must not be the key itself.
 *
 * Write your own, or use `apiKeyAuthenticator`. See section 5 of the specification.
 */
export type Authenticate = (key: string) => Promise<{ userId: string; keyId?: string | undefined } | undefined>;
