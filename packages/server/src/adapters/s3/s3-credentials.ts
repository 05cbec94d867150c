/** Who signs. Those of an AWS SDK fit as they are. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of temporary credentials. */
  sessionToken?: string | undefined;
  /** When temporary credentials end, and every URL that they signed with them. */
  expiration?: Date | undefined;
}

/** Returns current credentials; those of an AWS SDK, such as `fromNodeProviderChain()`, fit as they are. */
export type S3CredentialsProvider = () => S3Credentials | Promise<S3Credentials>;

/** Credentials that end before a URL that they sign should. */
export interface ShortCredentials {
  /** When the credentials end, and the URL with them. */
  expiration: Date;
  /** When the URL was to end. */
  expiresAt: Date;
  /** Why there are no others, when the provider failed. */
  error?: unknown;
}

/** What is wrong with credentials that came from outside, or `undefined`. Says none of their values. */
export function credentialsProblem(credentials: S3Credentials): string | undefined {
  if (typeof credentials !== 'object' || credentials === null) return 'the credentials are no object';
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = credentials;
  const texts = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  for (const [name, text] of Object.entries(texts)) {
    const isToken = typeof text === 'string' && /^[!-~]+$/.test(text);
    if (!isToken) return `the ${name} of the credentials is missing, or holds more than visible ASCII characters`;
  }
  const isDate = expiration === undefined || (expiration instanceof Date && Number.isFinite(expiration.getTime()));
  return isDate ? undefined : 'the expiration of the credentials is no valid date';
}
