import { expect, onTestFinished, test, vi } from 'vitest';
import { createFakeClock } from '../../testing/create-fake-clock.ts';
import { createS3MediaSigner } from './create-s3-media-signer.ts';
import type { S3Credentials, S3CredentialsProvider, ShortCredentials } from './s3-credentials.ts';

const hour = 3_600_000;
const minute = 60_000;
const start = Date.parse('2026-11-20T12:00:00Z');

const storage = { endpoint: 'https://s3.example', region: 'auto', bucket: 'media' };

/** Signs URLs with a lifetime of one hour, or of this many milliseconds. */
function setUp(credentials: S3Credentials | S3CredentialsProvider) {
  const clock = createFakeClock(new Date(start).toISOString());
  const short = vi.fn<(short: ShortCredentials) => void>();
  const signer = createS3MediaSigner({ ...storage, credentials, clock, onShortCredentials: short });
  const sign = (lifetime = hour) => {
    const expiresAt = new Date(clock.now().getTime() + lifetime);
    return signer.sign({ objectKey: 'a.wav', contentType: 'audio/wav', expiresAt });
  };
  return { clock, short, sign };
}

/** Credentials that expire this many milliseconds after the start. */
function lasting(milliseconds: number | undefined, accessKeyId = 'AKIA1'): S3Credentials {
  const expiration = milliseconds === undefined ? undefined : new Date(start + milliseconds);
  return { accessKeyId, secretAccessKey: 'hidden-secret', sessionToken: 'hidden-token', expiration };
}

const signerOf = (url: string) => new URL(url).searchParams.get('X-Amz-Credential')?.split('/')[0];

test('fixed credentials sign without a promise, a provider with one', async () => {
  expect(setUp(lasting(undefined)).sign()).toEqual(expect.any(String));
  const url = setUp(() => lasting(undefined)).sign();
  expect(url).toBeInstanceOf(Promise);
  expect(await url).toBe(setUp(lasting(undefined)).sign());
});

test('calls a provider once for all callers that wait, for credentials without an expiry', async () => {
  const provider = vi.fn(async () => lasting(undefined));
  const { clock, sign, short } = setUp(provider);
  await Promise.all([sign(), sign(), sign()]);
  clock.advance(1000 * hour);
  await sign();
  expect(provider).toHaveBeenCalledTimes(1);
  expect(short).not.toHaveBeenCalled();
});

test('caches credentials while they outlive the URL, and renews them before they expire', async () => {
  const provider = vi.fn<S3CredentialsProvider>();
  provider.mockReturnValueOnce(lasting(6 * hour)).mockReturnValueOnce(lasting(12 * hour, 'AKIA2'));
  const { clock, sign, short } = setUp(provider);
  await sign();
  clock.advance(5 * hour);
  expect(signerOf(await sign())).toBe('AKIA1');
  expect(provider).toHaveBeenCalledTimes(1);
  clock.advance(1);
  expect(signerOf(await sign())).toBe('AKIA2');
  expect(provider).toHaveBeenCalledTimes(2);
  expect(short).not.toHaveBeenCalled();
});

test('credentials with a short lifetime sign, are reported once, and are renewed at most once a minute', async () => {
  const provider = vi.fn(async () => lasting(hour / 2));
  const { clock, sign, short } = setUp(provider);
  for (let count = 0; count < 100; count += 1) expect(signerOf(await sign())).toBe('AKIA1');
  expect(provider).toHaveBeenCalledTimes(1);
  clock.advance(minute - 1);
  await sign();
  expect(provider).toHaveBeenCalledTimes(1);
  clock.advance(1);
  await Promise.all([sign(), sign()]);
  expect(provider).toHaveBeenCalledTimes(2);
  expect(short.mock.calls).toEqual([
    [{ expiration: new Date(start + hour / 2), expiresAt: new Date(start + hour), error: undefined }],
  ]);
});

test('renews credentials in their last minute, even for a URL that expires before them', async () => {
  const provider = vi.fn(async () => lasting(2 * hour));
  const { clock, sign, short } = setUp(provider);
  await sign();
  clock.advance(2 * hour - minute);
  await sign(1000);
  expect(provider).toHaveBeenCalledTimes(1);
  clock.advance(1);
  await sign(1000);
  expect(provider).toHaveBeenCalledTimes(2);
  expect(short).not.toHaveBeenCalled();
});

test('renews credentials that expire within a minute as soon as they have expired', async () => {
  const provider = vi.fn<S3CredentialsProvider>(() => lasting(2 * hour, 'AKIA2')).mockReturnValueOnce(lasting(1000));
  const { clock, sign } = setUp(provider);
  expect(signerOf(await sign())).toBe('AKIA1');
  clock.advance(999);
  expect(signerOf(await sign())).toBe('AKIA1');
  clock.advance(1);
  expect(signerOf(await sign())).toBe('AKIA2');
});

test('reports renewed credentials with a short lifetime again', async () => {
  const provider = vi.fn<S3CredentialsProvider>();
  provider.mockReturnValueOnce(lasting(hour / 4)).mockReturnValueOnce(lasting(hour / 2, 'AKIA2'));
  const { clock, sign, short } = setUp(provider);
  await sign();
  clock.advance(minute);
  expect(signerOf(await sign())).toBe('AKIA2');
  expect(short.mock.calls.map(([{ expiration }]) => expiration.getTime() - start)).toEqual([hour / 4, hour / 2]);
});

test('tolerates and reports a failing provider while its last credentials are valid', async () => {
  const failure = new Error('no answer');
  const provider = vi.fn<S3CredentialsProvider>(() => Promise.reject(failure)).mockReturnValueOnce(lasting(2 * hour));
  const { clock, sign, short } = setUp(provider);
  await sign();
  clock.advance(1.5 * hour);
  expect(signerOf(await sign())).toBe('AKIA1');
  await sign();
  expect(provider).toHaveBeenCalledTimes(2);
  expect(short).toHaveBeenCalledTimes(1);
  expect(short.mock.calls[0]?.[0].error).toMatchObject({ cause: failure });
  clock.advance(hour / 2);
  await expect(sign()).rejects.toMatchObject({
    message: 'Failed to sign a media URL: the S3 credentials provider failed. Check the cause of this error.',
    cause: failure,
  });
});

test('reports a provider that starts to fail, even if its credentials had a short lifetime', async () => {
  const failure = new Error('no answer');
  const provider = vi.fn<S3CredentialsProvider>(() => Promise.reject(failure)).mockReturnValueOnce(lasting(hour / 2));
  const { clock, sign, short } = setUp(provider);
  for (let minutes = 0; minutes < 5; minutes += 1) {
    await sign();
    clock.advance(minute);
  }
  const reported = short.mock.calls.map(([{ error }]) => (error instanceof Error ? error.cause : error));
  expect(reported).toEqual([undefined, failure]);
});

const failures: Record<string, () => S3Credentials | Promise<S3Credentials>> = {
  'throws at once': () => {
    throw new Error('no answer');
  },
  rejects: () => Promise.reject(new Error('no answer')),
  'returns nothing': () => undefined as never,
  'returns invalid credentials': () => ({ accessKeyId: 'AKIA1', secretAccessKey: 'hidden secret' }),
  'returns expired credentials': () => lasting(0),
  'does not return': () => new Promise(() => {}),
};

test.each(Object.keys(failures))('calls a provider that %s every ten seconds, not for each URL', async (name) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const provider = vi.fn<S3CredentialsProvider>(failures[name]);
  const { clock, sign } = setUp(provider);
  const signTwenty = async () => {
    const urls = Promise.allSettled(Array.from({ length: 20 }, () => Promise.resolve(sign())));
    await vi.advanceTimersByTimeAsync(10_000);
    return new Set((await urls).map((url) => (url.status === 'rejected' ? url.reason : url.value)));
  };
  const [failure, ...others] = [...(await signTwenty()), ...(await signTwenty())];
  expect(String(failure)).toMatch(/^Error: Failed to sign a media URL: .*\. [A-Z].*\.$/);
  expect(String(failure)).not.toMatch(/hidden|AKIA/);
  expect(others).toEqual([failure]);
  expect(provider).toHaveBeenCalledTimes(1);
  clock.advance(9999);
  await signTwenty();
  expect(provider).toHaveBeenCalledTimes(1);
  clock.advance(1);
  await signTwenty();
  expect(provider).toHaveBeenCalledTimes(2);
  provider.mockReturnValue(lasting(undefined, 'AKIA2'));
  clock.advance(10_000);
  expect([...(await signTwenty())].map(signerOf)).toEqual(['AKIA2']);
  expect(provider).toHaveBeenCalledTimes(3);
});

test('the pause after a failure begins when the provider has failed, not when it was called', async () => {
  const answer = Promise.withResolvers<S3Credentials>();
  const provider = vi.fn<S3CredentialsProvider>(() => answer.promise);
  const { clock, sign } = setUp(provider);
  const waiting = sign();
  clock.advance(9_000);
  answer.reject(new Error('no answer'));
  await expect(waiting).rejects.toThrow('the S3 credentials provider failed');
  clock.advance(9_999);
  await expect(sign()).rejects.toThrow('the S3 credentials provider failed');
  expect(provider).toHaveBeenCalledTimes(1);
});

test.each(Object.keys(failures).slice(0, 5))(
  'valid credentials stay in use if the provider then %s, and it is called once a minute',
  async (name) => {
    const provider = vi.fn<S3CredentialsProvider>(failures[name]).mockReturnValueOnce(lasting(hour / 2));
    const { clock, sign, short } = setUp(provider);
    await sign();
    for (let minutes = 1; minutes <= 3; minutes += 1) {
      clock.advance(minute);
      for (let count = 0; count < 20; count += 1) expect(signerOf(await sign())).toBe('AKIA1');
      expect(provider).toHaveBeenCalledTimes(1 + minutes);
    }
    expect(short).toHaveBeenCalledTimes(2);
  },
);

test('a provider that takes more than ten seconds counts as failed, and is called again after a minute', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const provider = vi.fn<S3CredentialsProvider>(() => new Promise(() => {})).mockReturnValueOnce(lasting(hour / 2));
  const { clock, sign, short } = setUp(provider);
  await sign();
  expect(vi.getTimerCount()).toBe(0);
  clock.advance(minute);
  const waiting = Promise.all([sign(), sign()]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await waiting).map(signerOf)).toEqual(['AKIA1', 'AKIA1']);
  expect(short.mock.calls[1]?.[0].error).toMatchObject({
    cause: { message: expect.stringContaining('the provider did not respond within 10 seconds.') },
  });
  await sign();
  expect(provider).toHaveBeenCalledTimes(2);
  provider.mockReturnValue(lasting(undefined, 'AKIA2'));
  clock.advance(minute);
  expect(signerOf(await sign())).toBe('AKIA2');
});

test('signs no URL with expired fixed credentials', () => {
  const ended = 'Failed to sign a media URL: the S3 credentials expired at 2026-11-20T12:00:00.000Z. Provide';
  expect(() => setUp(lasting(0)).sign()).toThrow(ended);
});

test('reports fixed credentials that expire before their URLs once', async () => {
  const { sign, short } = setUp(lasting(hour - 1));
  expect(signerOf(String(sign()))).toBe('AKIA1');
  await sign();
  expect(short).toHaveBeenCalledTimes(1);
  const other = setUp(lasting(hour));
  await other.sign();
  expect(other.short).not.toHaveBeenCalled();
});

test('an error of the reporter does not affect URLs', () => {
  const { sign, short } = setUp(lasting(1));
  short.mockImplementation(() => {
    throw new Error('the reporter is broken');
  });
  expect(sign()).toEqual(expect.any(String));
});

test('without a reporter, prints a warning about short credentials without their values', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const clock = createFakeClock(new Date(start).toISOString());
  const expiresAt = new Date(start + hour);
  const signer = createS3MediaSigner({ ...storage, clock, credentials: lasting(minute) });
  await signer.sign({ objectKey: 'a.wav', contentType: 'audio/wav', expiresAt });
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'Media URLs expire at 2026-11-20T12:01:00.000Z instead of 2026-11-20T13:00:00.000Z, together with the S3 credentials. Provide credentials with a longer lifetime.',
  );
  warn.mockRestore();
});

test('copies fixed credentials, so that later changes have no effect', () => {
  const credentials = lasting(undefined);
  const { sign } = setUp(credentials);
  const before = sign();
  credentials.secretAccessKey = 'another';
  expect(sign()).toBe(before);
});
