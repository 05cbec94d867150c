/**
 * Resolves an API key to the account that owns it, or to `undefined` when the key is unknown or inactive.
 *
 * Plug your own, or use `apiKeyAuthenticator`. See section 5 of the specification.
 */
export type Authenticate = (key: string) => Promise<{ userId: string } | undefined>;
