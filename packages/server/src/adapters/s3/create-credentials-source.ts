import { quietly } from '@memory-read/contract/event-loop';
import type { Clock } from '../../ports/clock.ts';
import {
  credentialsProblem,
  type S3Credentials,
  type S3CredentialsProvider,
  type ShortCredentials,
} from './s3-credentials.ts';
import { s3ConfigurationError } from './s3-location.ts';

/** Options of {@link createCredentialsSource}. */
export interface CredentialsSourceOptions {
  credentials: S3Credentials | S3CredentialsProvider;
  clock: Clock;
  onShortCredentials?: ((short: ShortCredentials) => unknown) | undefined;
}

/** How long a URL must work. Both are Unix times in milliseconds. */
export interface CredentialsNeed {
  now: number;
  expiresAt: number;
}

/** Returns credentials that have not expired. The result is a promise only if a provider is used. */
export type CredentialsSource = (need: CredentialsNeed) => S3Credentials | Promise<S3Credentials>;

/** @throws TypeError if the credentials are a value that is invalid. */
export function createCredentialsSource(options: CredentialsSourceOptions): CredentialsSource {
  const { credentials, clock, onShortCredentials = printShortCredentials } = options;
  const toUsable = createUsabilityCheck(onShortCredentials);
  if (typeof credentials === 'function') {
    const renewed = createRenewal(credentials, clock);
    return async (need) => toUsable(await renewed(need), need);
  }
  const problem = credentialsProblem(credentials);
  if (problem !== undefined) throw s3ConfigurationError(problem, 'Pass { accessKeyId, secretAccessKey }');
  const fixed = { credentials: { ...credentials } };
  return (need) => toUsable(fixed, need);
}

/** Credentials, and the error for which there are no newer ones. */
interface ProvidedCredentials {
  credentials: S3Credentials;
  error?: unknown;
}

/**
 * Caches the result of the provider while it outlives the URLs.
 *
 * A provider that fails or returns short-lived credentials is not called for every URL. Calls during that time share
 * one result, or one error.
 */
function createRenewal(
  provider: S3CredentialsProvider,
  clock: Clock,
): (need: CredentialsNeed) => Promise<ProvidedCredentials> {
  let last: (ProvidedCredentials & { attemptedAt: number }) | undefined;
  let failure: { error: unknown; failedAt: number } | undefined;
  let renewal: Promise<ProvidedCredentials> | undefined;

  async function renew(now: number): Promise<ProvidedCredentials> {
    try {
      last = { credentials: await provided(provider, now), attemptedAt: now };
      failure = undefined;
    } catch (error) {
      failure = { error, failedAt: clock.now().getTime() };
      if (last === undefined || endOf(last) <= now) throw error;
      last = { ...last, attemptedAt: now, error };
    }
    return last;
  }

  return async ({ now, expiresAt }) => {
    const isValid = last !== undefined && endOf(last) > now;
    if (last !== undefined && isValid) {
      const isLongEnough = endOf(last) >= Math.max(expiresAt, now + renewalInterval);
      if (isLongEnough || now < last.attemptedAt + renewalInterval) return last;
    } else if (failure !== undefined && now < failure.failedAt + failureInterval) {
      throw failure.error;
    }
    renewal ??= renew(now).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
}

const renewalInterval = 60_000;
// Without valid credentials each signature fails, so the pause is shorter: as long as that of the AWS SDK for Java.
const failureInterval = 10_000;
const answerTimeout = 10_000;

/** Expired credentials are a failure: the earlier ones may still be valid. */
async function provided(provider: S3CredentialsProvider, now: number): Promise<S3Credentials> {
  let credentials: S3Credentials;
  try {
    credentials = await answerInTime(provider);
  } catch (cause) {
    const reason = 'the S3 credentials provider failed';
    throw credentialsError(reason, 'Check the cause of this error', { cause });
  }
  const problem = credentialsProblem(credentials);
  if (problem !== undefined) throw credentialsError(problem, 'Return valid credentials from the provider');
  assertCurrent(credentials, now);
  return credentials;
}

/** Treats a provider that hangs as a failure: its earlier credentials may still outlive the URL. */
async function answerInTime(provider: S3CredentialsProvider): Promise<S3Credentials> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = `Failed to get S3 credentials: the provider did not respond within ${answerTimeout / 1000} seconds. Set a shorter timeout in the provider.`;
    timer = setTimeout(() => reject(new Error(message)), answerTimeout);
  });
  try {
    return await Promise.race([provider(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects expired credentials, and reports those that expire too early. The same credentials are reported once. */
function createUsabilityCheck(onShortCredentials: (short: ShortCredentials) => unknown) {
  let reported = '';
  return ({ credentials, error }: ProvidedCredentials, { now, expiresAt }: CredentialsNeed): S3Credentials => {
    const { accessKeyId, expiration } = credentials;
    if (expiration === undefined || expiration.getTime() >= expiresAt) return credentials;
    assertCurrent(credentials, now);
    const report = `${accessKeyId} ${expiration.toISOString()} ${error === undefined}`;
    if (report !== reported) {
      reported = report;
      quietly(() => onShortCredentials({ expiration, expiresAt: new Date(expiresAt), error }));
    }
    return credentials;
  };
}

function assertCurrent({ expiration }: S3Credentials, now: number): void {
  if (expiration === undefined || expiration.getTime() > now) return;
  const end = expiration.toISOString();
  throw credentialsError(`the S3 credentials expired at ${end}`, 'Provide current credentials');
}

/** The default of `onShortCredentials`: it prints, because a URL with a shorter lifetime is a surprise. */
function printShortCredentials({ expiration, expiresAt }: ShortCredentials): void {
  const [end, wanted] = [expiration.toISOString(), expiresAt.toISOString()];
  console.warn(
    `Media URLs expire at ${end} instead of ${wanted}, together with the S3 credentials. Provide credentials with a longer lifetime.`,
  );
}

function endOf({ credentials: { expiration } }: ProvidedCredentials): number {
  return expiration?.getTime() ?? Number.POSITIVE_INFINITY;
}

function credentialsError(reason: string, advice: string, options?: { cause: unknown }): Error {
  return new Error(`Failed to sign a media URL: ${reason}. ${advice}.`, options);
}
