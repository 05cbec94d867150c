/** Credentials that sign URLs. The result of an AWS SDK provider has this shape. */
export interface S3Credentials {
  /** Public id of the access key. */
  accessKeyId: string;
  /** Secret of the access key. */
  secretAccessKey: string;
  /** Session token of temporary credentials. */
  sessionToken?: string | undefined;
  /** Expiry time of temporary credentials. Every URL that they signed expires at the same time. */
  expiration?: Date | undefined;
}

/** Returns current credentials. Providers of an AWS SDK, such as `fromNodeProviderChain()`, have this type. */
export type S3CredentialsProvider = () => S3Credentials | Promise<S3Credentials>;

/** Credentials that expire before a URL that they sign should. */
export interface ShortCredentials {
  /** Expiry time of the credentials and of the URL. */
  expiration: Date;
  /** Time at which the URL should have expired. */
  expiresAt: Date;
  /** Error of the provider, if it failed. */
  error?: unknown;
}

/** Returns the problem with credentials, or `undefined`. It contains none of their values. */
export function credentialsProblem(credentials: S3Credentials): string | undefined {
  if (typeof credentials !== 'object' || credentials === null) return 'the credentials are not an object';
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = credentials;
  const texts = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  for (const [name, text] of Object.entries(texts)) {
    const isToken = typeof text === 'string' && /^[!-~]+$/.test(text);
    if (!isToken) return `the ${name} of the credentials is missing, or contains more than visible ASCII characters`;
  }
  const isDate = expiration === undefined || (expiration instanceof Date && Number.isFinite(expiration.getTime()));
  return isDate ? undefined : 'the expiration of the credentials is not a valid date';
}
