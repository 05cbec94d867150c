import { systemClock } from '@memory-read/contract/date-time';
import { assertOptions } from '../../assert-options.ts';
import { mediaSigningError } from '../../media/media-signing-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MediaUrlSigner } from '../../ports/media-url-signer.ts';
import { mediaObjectProblem } from '../../records/value-problems.ts';
import { createCredentialsSource } from './create-credentials-source.ts';
import { createPresigner, type PresignedGet } from './create-presigner.ts';
import type { S3Credentials, S3CredentialsProvider, ShortCredentials } from './s3-credentials.ts';
import { s3ConfigurationError, toS3Location } from './s3-location.ts';

/** Options of {@link createS3MediaSigner}. */
export interface S3MediaSignerOptions {
  /** URL of the storage without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  /** Region of the bucket, such as `eu-central-1`. Some storages require `auto` or `us-east-1`. */
  region: string;
  /**
   * Name of the bucket. Capitals, underscores, a tenant of Ceph (`tenant:bucket`) and more than 63 characters need
   * `forcePathStyle`.
   */
  bucket: string;
  /**
   * Credentials, or a function that returns current ones.
   *
   * The function is called when a URL would outlive the last credentials, at most once a minute. If it does not return
   * within 10 seconds or fails, the last credentials are used until they expire. Without valid ones, all signatures
   * fail with its error, and it is called again after 10 seconds.
   */
  credentials: S3Credentials | S3CredentialsProvider;
  /**
   * Whether the bucket is part of the path instead of the hostname. Default: `false`.
   *
   * An IP address and a host without a dot, such as `localhost`, need it.
   */
  forcePathStyle?: boolean | undefined;
  /** Clock for signatures and expiry times. Default: the clock of the machine. */
  clock?: Clock | undefined;
  /**
   * Callback that receives credentials that expire before their URLs should. It is called once for the same
   * credentials. The URLs expire with the credentials. Default: `console.warn`.
   */
  onShortCredentials?: ((short: ShortCredentials) => unknown) | undefined;
}

/**
 * Returns a signer of media URLs that an S3-compatible storage serves itself. See section 2.1.1 of the specification.
 *
 * The URLs are presigned GETs of Signature Version 4. Their `response-content-type` is the content type of the object.
 * Signing sends no request to the storage.
 *
 * `sign` returns the URL if the credentials are a value, and a promise of it if they come from a function. It throws a
 * TypeError if the object key, the content type or `expiresAt` is invalid, or `expiresAt` is more than seven days
 * ahead. It throws an Error if the credentials are missing or have expired. If `expiresAt` is in the past, the URL has
 * already expired.
 *
 * Printing the signer shows no credentials.
 *
 * @throws TypeError if the endpoint, the region, the bucket or the credentials are invalid, the endpoint contains the
 * bucket or is of another AWS region, or the bucket cannot be part of the hostname.
 *
 * @example
 * ```ts
 * const mediaSigner = createS3MediaSigner({
 *   endpoint: 'https://s3.eu-central-1.amazonaws.com',
 *   region: 'eu-central-1',
 *   bucket: 'example-media',
 *   credentials: { accessKeyId, secretAccessKey },
 * });
 * const url = await mediaSigner.sign({ objectKey: 'mem_1/audio.wav', contentType: 'audio/wav', expiresAt });
 * ```
 */
export function createS3MediaSigner(options: S3MediaSignerOptions): MediaUrlSigner {
  const advice = 'Pass { endpoint, region, bucket, credentials }';
  assertOptions('create an S3 media signer', options, partsOfSigner, advice);
  const { region, clock = systemClock } = options;
  if (!/^[\w-]+$/.test(region)) {
    throw s3ConfigurationError(`${JSON.stringify(region)} is not a valid region`, 'Pass one like "eu-central-1"');
  }
  const location = toS3Location(options);
  const credentialsFor = createCredentialsSource({ ...options, clock });
  const presign = createPresigner({ region });
  return {
    sign({ objectKey, contentType, expiresAt }) {
      const problem = mediaObjectProblem(objectKey, contentType);
      if (problem !== undefined) throw mediaSigningError(problem, 'Store audio, video or an image');
      const now = clock.now().getTime();
      const get = { location, objectKey, contentType, ...toLifetime(expiresAt, now) };
      const credentials = credentialsFor({ now, expiresAt: expiresAt.getTime() });
      if (credentials instanceof Promise)
        return credentials.then((current) => presign({ ...get, credentials: current }));
      return presign({ ...get, credentials });
    },
  };
}

const partsOfSigner = {
  endpoint: 'string',
  region: 'string',
  bucket: 'string',
  credentials: 'any',
  'forcePathStyle?': 'any',
  'clock?.now': 'function',
  'onShortCredentials?': 'function',
} as const;

/** Returns the whole seconds of {@link PresignedGet}. S3 accepts at most seven days. */
function toLifetime(expiresAt: Date, now: number): Pick<PresignedGet, 'signedAt' | 'lifetimeSeconds'> {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  if (!(expires > 0)) throw mediaSigningError(`expiresAt is ${String(expiresAt)}`, 'Pass a valid date since 1970');
  // S3 accepts no lifetime of zero. A list that takes longer than the lifetime gets expired URLs instead of an error.
  const signedAt = Math.min(Math.floor(now / 1000), expires - 1);
  const lifetimeSeconds = expires - signedAt;
  if (lifetimeSeconds > maximumLifetimeSeconds) {
    throw mediaSigningError(
      `expiresAt is ${lifetimeSeconds} seconds ahead`,
      `Pass a date within ${maximumLifetimeSeconds} seconds`,
    );
  }
  return { signedAt, lifetimeSeconds };
}

const maximumLifetimeSeconds = 604_800;
