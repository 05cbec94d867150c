import { callObserver } from '../../http/observers.ts';
import {
  credentialsProblem,
  type S3Credentials,
  type S3CredentialsProvider,
  type ShortCredentials,
} from './s3-credentials.ts';
import { s3ConfigurationError } from './s3-location.ts';

/** What {@link createCredentialsSource} is made of. */
export interface CredentialsSourceOptions {
  credentials: S3Credentials | S3CredentialsProvider;
  onShortCredentials?: ((short: ShortCredentials) => unknown) | undefined;
}

/** Until when a URL is to work. Unix times in milliseconds. */
export interface CredentialsNeed {
  now: number;
  expiresAt: number;
}

/** Credentials to sign a URL with: at once when they are a value, and never ones that have ended. */
export type CredentialsSource = (need: CredentialsNeed) => S3Credentials | Promise<S3Credentials>;

/** @throws TypeError when the credentials are a value that cannot be used. */
export function createCredentialsSource(options: CredentialsSourceOptions): CredentialsSource {
  const { credentials, onShortCredentials = printShortCredentials } = options;
  const toUsable = createUsabilityCheck(onShortCredentials);
  if (typeof credentials === 'function') {
    const renewed = createRenewal(credentials);
    return async (need) => toUsable(await renewed(need), need);
  }
  const problem = credentialsProblem(credentials);
  if (problem !== undefined) throw s3ConfigurationError(problem, 'Pass { accessKeyId, secretAccessKey }');
  const answer = { credentials: { ...credentials } };
  return (need) => toUsable(answer, need);
}

/** Credentials, and why there are no newer ones. */
interface Answer {
  credentials: S3Credentials;
  error?: unknown;
}

/**
 * Keeps what the provider returned for as long as it outlives the URLs. One that goes on returning short ones, or does
 * not answer, is asked once a minute, not for every URL; what asks meanwhile waits for the same answer.
 */
function createRenewal(provider: S3CredentialsProvider): (need: CredentialsNeed) => Promise<Answer> {
  let last: (Answer & { askedAt: number }) | undefined;
  let asking: Promise<Answer> | undefined;

  async function ask(now: number): Promise<Answer> {
    try {
      last = { credentials: await provided(provider), askedAt: now };
    } catch (error) {
      if (last === undefined || endOf(last) <= now) throw error;
      last = { ...last, askedAt: now, error };
    }
    return last;
  }

  return async ({ now, expiresAt }) => {
    const neededUntil = Math.max(expiresAt, now + renewalInterval);
    if (last !== undefined && endOf(last) >= neededUntil) return last;
    if (last !== undefined && endOf(last) > now && now < last.askedAt + renewalInterval) return last;
    asking ??= ask(now).finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

const renewalInterval = 60_000;
const answerTimeout = 10_000;

async function provided(provider: S3CredentialsProvider): Promise<S3Credentials> {
  let credentials: S3Credentials;
  try {
    credentials = await answerInTime(provider);
  } catch (cause) {
    const reason = 'the provider of S3 credentials failed';
    throw credentialsError(reason, 'See the cause', { cause });
  }
  const problem = credentialsProblem(credentials);
  if (problem !== undefined) throw credentialsError(problem, 'Have the provider return current ones');
  return credentials;
}

/** A provider that hangs is one that failed: the credentials before may be good for long enough. */
async function answerInTime(provider: S3CredentialsProvider): Promise<S3Credentials> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = `Failed to get S3 credentials: because the provider did not answer within ${answerTimeout / 1000} seconds. Give it a limit of its own.`;
    timer = setTimeout(() => reject(new Error(message)), answerTimeout);
  });
  try {
    return await Promise.race([provider(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Refuses credentials that have ended, and tells of those that end too early: of the same ones once. */
function createUsabilityCheck(onShortCredentials: (short: ShortCredentials) => unknown) {
  let reported = '';
  return ({ credentials, error }: Answer, { now, expiresAt }: CredentialsNeed): S3Credentials => {
    const { accessKeyId, expiration } = credentials;
    if (expiration === undefined || expiration.getTime() >= expiresAt) return credentials;
    const end = expiration.toISOString();
    if (expiration.getTime() <= now)
      throw credentialsError(`the S3 credentials ended at ${end}`, 'Provide current ones');
    const report = `${accessKeyId} ${end} ${error === undefined}`;
    if (report !== reported) {
      reported = report;
      callObserver(() => onShortCredentials({ expiration, expiresAt: new Date(expiresAt), error }));
    }
    return credentials;
  };
}

/** What `onShortCredentials` is when it is left out: an hour that is none would surprise everybody. */
function printShortCredentials({ expiration, expiresAt }: ShortCredentials): void {
  const [end, wanted] = [expiration.toISOString(), expiresAt.toISOString()];
  console.warn(`Media URLs end at ${end} instead of ${wanted}: because the S3 credentials do. Provide longer ones.`);
}

function endOf({ credentials: { expiration } }: Answer): number {
  return expiration?.getTime() ?? Number.POSITIVE_INFINITY;
}

function credentialsError(reason: string, advice: string, options?: { cause: unknown }): Error {
  return new Error(`Failed to sign a media URL: because ${reason}. ${advice}.`, options);
}
