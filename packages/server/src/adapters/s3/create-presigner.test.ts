import { expect, test, vi } from 'vitest';
import { createPresigner } from './create-presigner.ts';
import { toS3Location } from './s3-location.ts';
import { deriveSigningKey } from './signing-keys.ts';

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const location = toS3Location({ endpoint: 'https://s3.amazonaws.com', region: 'us-east-1', bucket: 'examplebucket' });
const signedAt = Date.parse('2013-05-24T00:00:00Z') / 1000;
const get = { location, objectKey: 'test.txt', credentials, signedAt, lifetimeSeconds: 86_400 };

test('signs the example URL of AWS with its published signature', () => {
  const url = new URL(createPresigner({ region: 'us-east-1' })(get));
  expect(url.origin + url.pathname).toBe('https://examplebucket.s3.amazonaws.com/test.txt');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  });
});

test('encodes an object key once, keeps its slashes, and does not normalize it', () => {
  const url = createPresigner({ region: 'us-east-1' })({ ...get, objectKey: '/a//b c+d%20é!\'()*~\u{1f600}"/' });
  expect(url.split('?')[0]).toBe(
    'https://examplebucket.s3.amazonaws.com//a//b%20c%2Bd%2520%C3%A9%21%27%28%29%2A~%F0%9F%98%80%22/',
  );
  expect(new URL(url).href).toBe(url);
});

test('derives the key of a day once for ten thousand memories, and again for another day or other credentials', () => {
  const deriveKey = vi.fn(deriveSigningKey);
  const presign = createPresigner({ region: 'eu-central-1', deriveKey });
  const urls = Array.from({ length: 10_000 }, (_, index) =>
    presign({ ...get, objectKey: `mem_${index}/audio.wav`, credentials: { ...credentials } }),
  );
  expect(new Set(urls).size).toBe(10_000);
  expect(deriveKey.mock.calls).toEqual([[credentials.secretAccessKey, { day: '20130524', region: 'eu-central-1' }]]);
  const later = { ...get, signedAt: signedAt + 86_400 };
  presign(later);
  presign({ ...later, credentials: { ...credentials, secretAccessKey: 'another' } });
  expect(deriveKey).toHaveBeenCalledTimes(3);
  expect(deriveKey).toHaveBeenLastCalledWith('another', { day: '20130525', region: 'eu-central-1' });
  for (const change of [{ accessKeyId: 'another' }, { sessionToken: 'first' }, { sessionToken: 'second' }]) {
    const changed = { ...get, credentials: { ...credentials, ...change } };
    expect(presign(changed)).toBe(createPresigner({ region: 'eu-central-1' })(changed));
  }
  expect(presign(get)).toBe(createPresigner({ region: 'eu-central-1' })(get));
});
