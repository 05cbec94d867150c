/**
 * Returns the account that owns an API key, or `undefined` if the key is unknown, revoked or expired.
 *
 * Write your own, or use `apiKeyAuthenticator`. See section 5 of the specification.
 */
export type Authenticate = (key: string) => Promise<{ userId: string } | undefined>;
