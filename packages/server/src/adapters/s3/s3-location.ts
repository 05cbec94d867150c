/** The bucket whose objects get URLs. */
export interface S3LocationOptions {
  /** URL of the storage without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  bucket: string;
  /** Whether the bucket is part of the path instead of the hostname. Default: `false`. */
  forcePathStyle?: boolean | undefined;
}

/** The URL parts of a bucket. */
export interface S3Location {
  /** Protocol and host, such as `https://bucket.s3.amazonaws.com`. */
  origin: string;
  /** Value of the `Host` header of a client. */
  host: string;
  /** Path before an object key, such as `/` or `/bucket/`. */
  pathPrefix: string;
}

/**
 * Returns the location of the bucket.
 *
 * @throws TypeError if the endpoint or the bucket is invalid, or the bucket cannot be part of the hostname.
 */
export function toS3Location({ endpoint, bucket, forcePathStyle = false }: S3LocationOptions): S3Location {
  const url = parseEndpoint(endpoint);
  assertBucket(bucket);
  const basePath = url.pathname.replace(/\/$/, '');
  if (forcePathStyle) return { origin: url.origin, host: url.host, pathPrefix: `${basePath}/${bucket}/` };
  assertVirtualHost(url, bucket);
  const host = `${bucket}.${url.host}`;
  return { origin: `${url.protocol}//${host}`, host, pathPrefix: `${basePath}/` };
}

/** Returns the error of an invalid option. */
export function s3ConfigurationError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to create an S3 media signer: ${reason}. ${advice}.`);
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.origin + url.pathname === url.href;
  if (isPlain && /^(\/[\w.~-]+)*\/?$/.test(url.pathname)) return url;
  // The value is not repeated: it may hold credentials.
  throw s3ConfigurationError(
    'the endpoint is not an absolute http or https URL without credentials, query and fragment',
    'Pass one like "https://s3.eu-central-1.amazonaws.com"',
  );
}

function assertBucket(bucket: string): void {
  const isName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) && !bucket.includes('..') && !isIpAddress(bucket);
  if (isName) return;
  throw s3ConfigurationError(
    `${JSON.stringify(bucket)} is not a valid bucket name`,
    'Pass 3 to 63 lowercase letters, digits, hyphens and single dots, with a letter or digit at both ends',
  );
}

function assertVirtualHost({ protocol, hostname }: URL, bucket: string): void {
  const advice = 'Set forcePathStyle to true';
  if (isIpAddress(hostname)) {
    throw s3ConfigurationError(`${hostname} is an IP address, which cannot have a bucket before it`, advice);
  }
  if (protocol === 'https:' && bucket.includes('.')) {
    const reason = `the certificate of the endpoint is not valid for the bucket ${JSON.stringify(bucket)}, whose name contains dots`;
    throw s3ConfigurationError(reason, advice);
  }
}

function isIpAddress(hostname: string): boolean {
  return /^\d+(\.\d+){3}$|^\[/.test(hostname);
}
