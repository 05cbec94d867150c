/** Which objects URLs are made for. */
export interface S3LocationOptions {
  /** Where the storage is reached, such as `https://s3.eu-central-1.amazonaws.com`; without the bucket. */
  endpoint: string;
  bucket: string;
  /** Puts the bucket into the path instead of the host's name. `false` by default. */
  forcePathStyle?: boolean | undefined;
}

/** A bucket as its URLs name it. */
export interface S3Location {
  /** Protocol and host, such as `https://bucket.s3.amazonaws.com`. */
  origin: string;
  /** What a client sends as `Host`. */
  host: string;
  /** What stands before an object key, such as `/` or `/bucket/`. */
  pathPrefix: string;
}

/**
 * Where the bucket is.
 *
 * @throws TypeError when the endpoint or the bucket cannot be used, or not in this style.
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

/** Begins every message about wrong options. */
export function s3ConfigurationError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to create an S3 media signer: because ${reason}. ${advice}.`);
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
    `${JSON.stringify(bucket)} is no name of a bucket`,
    'Pass 3 to 63 lowercase letters, digits, hyphens and single dots that begin and end with a letter or digit',
  );
}

function assertVirtualHost({ protocol, hostname }: URL, bucket: string): void {
  const advice = 'Set forcePathStyle';
  if (isIpAddress(hostname)) {
    throw s3ConfigurationError(`${hostname} is an address, before which no bucket can stand`, advice);
  }
  if (protocol === 'https:' && bucket.includes('.')) {
    const reason = `no certificate of the endpoint holds for the bucket ${JSON.stringify(bucket)} with its dots`;
    throw s3ConfigurationError(reason, advice);
  }
}

function isIpAddress(hostname: string): boolean {
  return /^\d+(\.\d+){3}$|^\[/.test(hostname);
}
