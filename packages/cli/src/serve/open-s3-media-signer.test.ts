import { expect, test } from 'vitest';
import { openS3MediaSigner } from './s3-media-options.ts';

const options = { s3Endpoint: 'https://s3.example', s3Region: 'eu-central-1', s3Bucket: 'media' };
const environment = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hush/secret' };
const object = { objectKey: 'a.wav', contentType: 'audio/wav', expiresAt: new Date(Date.now() + 3_600_000) };

test('returns no signer without S3 options, whatever the environment contains', () => {
  expect(openS3MediaSigner({}, environment)).toBeUndefined();
});

test('signs for the bucket with the credentials of the environment', async () => {
  const url = new URL(String(await openS3MediaSigner(options, environment)?.sign(object)));
  expect(url.origin + url.pathname).toBe('https://media.s3.example/a.wav');
  expect(url.searchParams.get('X-Amz-Credential')).toMatch(/^AKIAEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request$/);
  expect(url.searchParams.has('X-Amz-Security-Token')).toBe(false);
  const withToken = { ...environment, AWS_SESSION_TOKEN: 'token' };
  const other = new URL(
    String(await openS3MediaSigner({ ...options, s3ForcePathStyle: true }, withToken)?.sign(object)),
  );
  expect(other.origin + other.pathname).toBe('https://s3.example/media/a.wav');
  expect(other.searchParams.get('X-Amz-Security-Token')).toBe('token');
  const empty = await openS3MediaSigner(options, { ...environment, AWS_SESSION_TOKEN: '' })?.sign(object);
  expect(empty).not.toContain('X-Amz-Security-Token');
});

test.each([
  ['--s3-endpoint', { ...options, s3Endpoint: undefined }],
  ['--s3-region', { ...options, s3Region: undefined }],
  ['--s3-bucket', { ...options, s3Bucket: undefined }],
  ['--s3-endpoint', { s3ForcePathStyle: true }],
])('fails if the S3 option %s is missing', (option, some) => {
  expect(() => openS3MediaSigner(some, environment)).toThrow(
    `Failed to read the S3 options: ${option} is missing. Pass --s3-endpoint, --s3-region and --s3-bucket together.`,
  );
});

test.each([
  ['AWS_ACCESS_KEY_ID', { ...environment, AWS_ACCESS_KEY_ID: undefined }],
  ['AWS_SECRET_ACCESS_KEY', { ...environment, AWS_SECRET_ACCESS_KEY: '' }],
])('fails when the environment has no %s', (name, some) => {
  const refusal = () => openS3MediaSigner(options, some);
  expect(refusal).toThrow(`Failed to read the S3 credentials: the environment variable ${name} is not set. Set `);
  expect(refusal).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(refusal).not.toThrow(/hush|AKIA/);
});

test('reports values that the signer rejects as wrong usage, without a credential', () => {
  const refusal = () => openS3MediaSigner(options, { ...environment, AWS_SECRET_ACCESS_KEY: 'hush secret' });
  expect(refusal).toThrow(/^Failed to create an S3 media signer: the secretAccessKey of the credentials/);
  expect(refusal).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(refusal).not.toThrow(/hush|AKIA/);
});

test.each([
  { s3Endpoint: 'http://minio:9000' },
  { s3Endpoint: 'http://127.0.0.1:9000' },
  { s3Bucket: 'team_recordings' },
  { s3Bucket: 'my.media' },
])('names the option that puts the bucket into the path: %j', (some) => {
  const refusal = () => openS3MediaSigner({ ...options, ...some }, environment);
  expect(refusal).toThrow(/^Failed to create an S3 media signer: .*\. Pass --s3-force-path-style\.$/);
  expect(() => openS3MediaSigner({ ...options, ...some, s3ForcePathStyle: true }, environment)).not.toThrow();
});
