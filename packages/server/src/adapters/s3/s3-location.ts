import { encodeRfc3986 } from './encode-rfc3986.ts';

/** The bucket whose objects get URLs. */
export interface S3LocationOptions {
  /** URL of the storage without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  region: string;
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
 * @throws TypeError if the endpoint or the bucket is invalid, the endpoint contains the bucket or is of another region,
 * or the bucket cannot be part of the hostname.
 */
export function toS3Location({ endpoint, region, bucket, forcePathStyle = false }: S3LocationOptions): S3Location {
  const url = parseEndpoint(endpoint);
  assertBucket(bucket);
  assertWithoutBucket(url, bucket, forcePathStyle);
  assertRegion(url, region, forcePathStyle);
  const basePath = url.pathname.replace(/\/$/, '');
  if (forcePathStyle) {
    return { origin: url.origin, host: url.host, pathPrefix: `${basePath}/${encodeRfc3986(bucket)}/` };
  }
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

/** Accepts what storages do: old buckets of `us-east-1`, and the tenants of Ceph. */
function assertBucket(bucket: string): void {
  if (/^(\w+:)?[\w.-]{3,255}$/.test(bucket) && !isIpAddress(bucket)) return;
  throw s3ConfigurationError(`${JSON.stringify(bucket)} is not a valid bucket name`, bucketAdvice(bucket));
}

function bucketAdvice(bucket: string): string {
  if (bucket.startsWith('arn:'))
    return 'Pass the name of the bucket or the alias of the access point instead of the ARN';
  if (bucket.includes('/')) return 'Pass it without a slash: a folder belongs to the object keys';
  return 'Pass 3 to 255 letters, digits, hyphens, underscores and dots';
}

/** The bucket would be signed twice, and the storage would find no object. */
function assertWithoutBucket({ protocol, host, origin, pathname }: URL, bucket: string, forcePathStyle: boolean): void {
  const path = pathname.replace(/\/$/, '');
  const storage = host.startsWith(`${bucket.toLowerCase()}.`) ? host.slice(bucket.length + 1) : '';
  // With path style, a storage of one's own such as media.example.com can have the name of its bucket.
  const isPublic = /^s3[.-]|\..*\./.test(storage) && !/\.(local|internal)(:|$)/.test(storage);
  const isInHost = forcePathStyle ? isPublic : storage.includes('.');
  const isInPath = path.endsWith(`/${bucket}`);
  if (!isInHost && !isInPath) return;
  const plain = isInPath ? origin + path.slice(0, -bucket.length - 1) : `${protocol}//${storage}${path}`;
  throw s3ConfigurationError(
    `the endpoint already contains the bucket ${JSON.stringify(bucket)}`,
    `Pass the endpoint without it: ${JSON.stringify(plain)}`,
  );
}

/** AWS refuses each URL that was signed for a region other than that of the endpoint. */
function assertRegion({ hostname }: URL, region: string, forcePathStyle: boolean): void {
  if (!/\.amazonaws\.com(\.cn)?$/.test(hostname)) return;
  if (forcePathStyle && hostname.startsWith('s3-accelerate.')) {
    throw s3ConfigurationError(`${hostname} does not support path style`, 'Pass the endpoint of the region');
  }
  const isGlobal = forcePathStyle && hostname === 's3.amazonaws.com';
  const served = isGlobal ? 'us-east-1' : /[.-]([a-z]{2}(-[a-z]+)+-\d)\./.exec(hostname)?.[1];
  if (served === undefined || served === region) return;
  throw s3ConfigurationError(
    `the endpoint ${hostname} serves the region ${served}, but the region is ${region}`,
    'Pass the endpoint and the region of the bucket',
  );
}

function assertVirtualHost({ protocol, hostname }: URL, bucket: string): void {
  const advice = 'Set forcePathStyle to true';
  if (isIpAddress(hostname)) {
    throw s3ConfigurationError(`${hostname} is an IP address, which cannot have a bucket before it`, advice);
  }
  if (!hostname.includes('.')) {
    const reason = `no name server knows the host ${hostname} with a bucket before it`;
    throw s3ConfigurationError(reason, advice);
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || bucket.includes('..')) {
    throw s3ConfigurationError(`the bucket ${JSON.stringify(bucket)} cannot be part of a host name`, advice);
  }
  if (protocol === 'https:' && bucket.includes('.')) {
    const reason = `the certificate of the endpoint is not valid for the bucket ${JSON.stringify(bucket)}, whose name contains dots`;
    throw s3ConfigurationError(reason, advice);
  }
}

function isIpAddress(hostname: string): boolean {
  return /^\d+(\.\d+){3}$|^\[/.test(hostname);
}
