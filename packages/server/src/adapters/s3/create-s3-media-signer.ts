import { mediaSigningError } from '../../media/media-signing-error.ts';
import { mediaObjectProblem } from '../../media/media-target.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MediaUrlSigner } from '../../ports/media-url-signer.ts';
import { systemClock } from '../../system-clock.ts';
import { createCredentialsSource } from './create-credentials-source.ts';
import { createPresigner, type PresignedGet } from './create-presigner.ts';
import type { S3Credentials, S3CredentialsProvider, ShortCredentials } from './s3-credentials.ts';
import { s3ConfigurationError, toS3Location } from './s3-location.ts';

/** What {@link createS3MediaSigner} signs for, and with. */
export interface S3MediaSignerOptions {
  /** Where the storage is reached, such as `https://s3.eu-central-1.amazonaws.com`; without the bucket. */
  endpoint: string;
  /** Such as `eu-central-1`; some storages want `auto` or `us-east-1`. */
  region: string;
  bucket: string;
  /**
   * A value, or a function that is asked for current ones: first, when a URL would outlive those it returned, and at
   * most once a minute when they stay short. One that does not answer within ten seconds has failed: those before are
   * used until they end.
   */
  credentials: S3Credentials | S3CredentialsProvider;
  /** Puts the bucket into the path instead of the host's name. `false` by default. */
  forcePathStyle?: boolean | undefined;
  /** The system's clock by default. */
  clock?: Clock | undefined;
  /** Told once of credentials that end before their URLs should; the URLs are made, and end with them. Prints by default. */
  onShortCredentials?: ((short: ShortCredentials) => unknown) | undefined;
}

/**
 * Signs media URLs that an S3-compatible storage answers itself: presigned GETs with Signature Version 4, whose
 * `response-content-type` is the content type of the object. See section 2.1.1 of the specification.
 *
 * `sign` returns the URL at once when the credentials are a value, and a promise of it when they come from a provider.
 * It throws a TypeError when object key, content type or expiry is none or the expiry is more than seven days ahead,
 * and an Error when there are no credentials or they have ended. An expiry that is over makes a URL that is over.
 *
 * Nothing of the credentials shows when the signer is printed.
 *
 * @throws TypeError when endpoint, region, bucket or credentials cannot be used, or not in this style.
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
  const { region, clock = systemClock } = options;
  if (!/^[\w-]+$/.test(region)) {
    throw s3ConfigurationError(`${JSON.stringify(region)} is no region`, 'Pass one like "eu-central-1"');
  }
  const location = toS3Location(options);
  const credentialsFor = createCredentialsSource(options);
  const presign = createPresigner({ region });
  return {
    sign({ objectKey, contentType, expiresAt }) {
      const problem = mediaObjectProblem(objectKey, contentType);
      if (problem !== undefined) throw mediaSigningError(problem, 'Store an object that is media');
      const now = clock.now().getTime();
      const get = { location, objectKey, contentType, ...toLifetime(expiresAt, now) };
      const credentials = credentialsFor({ now, expiresAt: expiresAt.getTime() });
      if (credentials instanceof Promise)
        return credentials.then((current) => presign({ ...get, credentials: current }));
      return presign({ ...get, credentials });
    },
  };
}

/** The whole seconds of {@link PresignedGet}, of which S3 takes at most seven days. */
function toLifetime(expiresAt: Date, now: number): Pick<PresignedGet, 'signedAt' | 'lifetimeSeconds'> {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  if (!(expires > 0)) throw mediaSigningError(`expiresAt is ${String(expiresAt)}`, 'Pass a valid date since 1970');
  // S3 knows no lifetime of zero. A list that takes longer than its URLs live must not break off: they are over instead.
  const signedAt = Math.min(Math.floor(now / 1000), expires - 1);
  const lifetimeSeconds = expires - signedAt;
  if (lifetimeSeconds > maximumLifetimeSeconds) {
    throw mediaSigningError(`expiresAt is ${lifetimeSeconds} seconds ahead`, `Stay within ${maximumLifetimeSeconds}`);
  }
  return { signedAt, lifetimeSeconds };
}

const maximumLifetimeSeconds = 604_800;
