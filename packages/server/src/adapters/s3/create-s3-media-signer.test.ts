import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../testing/create-fake-clock.ts';
import { createS3MediaSigner, type S3MediaSignerOptions } from './create-s3-media-signer.ts';

const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hidden-secret', sessionToken: 'hidden/token+1==' };
const audio = { objectKey: 'mem_1/audio.wav', contentType: 'audio/wav', expiresAt: new Date('2026-11-20T13:00:00Z') };
const options = (changes: Partial<S3MediaSignerOptions> = {}): S3MediaSignerOptions => ({
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  bucket: 'media',
  credentials,
  clock: createFakeClock('2026-11-20T12:00:00Z'),
  ...changes,
});
const sign = (changes?: Partial<S3MediaSignerOptions>, object: Partial<typeof audio> = {}): string => {
  const url = createS3MediaSigner(options(changes)).sign({ ...audio, ...object });
  return typeof url === 'string' ? url : expect.unreachable();
};
const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

test('a signed URL equals the expected one, character for character', () => {
  expect(sign()).toBe(
    'https://media.s3.eu-central-1.amazonaws.com/mem_1/audio.wav?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAEXAMPLE%2F20261120%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Date=20261120T120000Z&X-Amz-Expires=3600&X-Amz-Security-Token=hidden%2Ftoken%2B1%3D%3D&X-Amz-Signature=253c467ae5fbd19bdef9b28982b099b1ced79e592d0159d59e0d29f7f92f6bc3&X-Amz-SignedHeaders=host&response-content-type=audio%2Fwav',
  );
});

test('the bucket is in the host name, or in the path if that is forced', () => {
  const start = (changes: Partial<S3MediaSignerOptions>) => sign(changes).split('?')[0];
  expect(start({})).toBe('https://media.s3.eu-central-1.amazonaws.com/mem_1/audio.wav');
  expect(start({ forcePathStyle: true })).toBe('https://s3.eu-central-1.amazonaws.com/media/mem_1/audio.wav');
  const dotted = { endpoint: 'http://s3.example:9000/', bucket: 'a.b' };
  expect(start(dotted)).toBe('http://a.b.s3.example:9000/mem_1/audio.wav');
  const below = { endpoint: 'https://x.example/storage/s3/' };
  expect(start(below)).toBe('https://media.x.example/storage/s3/mem_1/audio.wav');
  expect(start({ ...below, forcePathStyle: true })).toBe('https://x.example/storage/s3/media/mem_1/audio.wav');
});

test('a URL states its time and lifetime in whole seconds, and never works longer', () => {
  const clock = createFakeClock('2026-11-20T12:00:00.999Z');
  const expiresAt = new Date('2026-11-20T13:00:00.998Z');
  const times = (...changes: Parameters<typeof sign>) => {
    const query = queryOf(sign(...changes));
    return [query['X-Amz-Date'], query['X-Amz-Expires']];
  };
  expect(times({ clock }, { expiresAt })).toEqual(['20261120T120000Z', '3600']);
  clock.advance(1);
  expect(times({ clock }, { expiresAt })).toEqual(['20261120T120001Z', '3599']);
  for (const now of ['2026-11-20T13:00:00Z', '2026-11-21T00:00:00Z'])
    expect(times({ clock: createFakeClock(now) })).toEqual(['20261120T125959Z', '1']);
});

test('a URL works for at most seven days', () => {
  const expiresAt = new Date('2026-11-27T12:00:00.999Z');
  expect(queryOf(sign({}, { expiresAt }))['X-Amz-Expires']).toBe('604800');
  expect(() => sign({}, { expiresAt: new Date('2026-11-27T12:00:01Z') })).toThrow(
    'Failed to sign a media URL: expiresAt is 604801 seconds ahead. Pass a date within 604800 seconds.',
  );
});

test('the signature covers the content type and the session token', () => {
  const url = sign({}, { contentType: 'video/mp4; codecs="avc1.42E01E, mp4a.40.2"' });
  expect(queryOf(url)).toMatchObject({
    'response-content-type': 'video/mp4; codecs="avc1.42E01E, mp4a.40.2"',
    'X-Amz-Security-Token': 'hidden/token+1==',
  });
  const signatures = [url, sign(), sign({ credentials: { ...credentials, sessionToken: 'another' } })].map(
    (signed) => queryOf(signed)['X-Amz-Signature'],
  );
  expect(new Set(signatures).size).toBe(3);
  expect(queryOf(sign({ credentials: { ...credentials, sessionToken: undefined } }))).not.toHaveProperty(
    'X-Amz-Security-Token',
  );
});

test.each([
  [{ objectKey: 'a/../b' }, /^Failed to sign a media URL: the object key /],
  [{ contentType: 'text/html' }, /is not an audio, video or raster image type/],
  ...[Number.NaN, 999, -1].map((time): [{ expiresAt: Date }, RegExp] => [
    { expiresAt: new Date(time) },
    /^Failed to sign a media URL: expiresAt is/,
  ]),
])('signs no URL for %j', (object, reason) => {
  expect(() => sign({}, object)).toThrow(reason);
});

test.each([
  ...['', '/media', 's3.example', 'ftp://s3.example', 'https://hidden@s3.example', 'https://user:hidden@s3.example'],
  ...['https://s3.example/?token=hidden', 'https://s3.example/#hidden', 'https://s3.example/hidden%20path'],
])('rejects the endpoint %j without repeating it', (endpoint) => {
  const refusal = () => createS3MediaSigner(options({ endpoint }));
  expect(refusal).toThrow(/^Failed to create an S3 media signer: the endpoint is not an absolute/);
  expect(refusal).not.toThrow(/hidden/);
});

test.each([
  ['', 'Pass 3 to 255 letters, digits, hyphens, underscores and dots.'],
  ['ab', 'Pass 3 to 255 letters'],
  ['a'.repeat(256), 'Pass 3 to 255 letters'],
  ['two words', 'Pass 3 to 255 letters'],
  ['médias', 'Pass 3 to 255 letters'],
  ['192.168.5.4', 'Pass 3 to 255 letters'],
  ['media\n', 'Pass 3 to 255 letters'],
  ['a:b:media', 'Pass 3 to 255 letters'],
  ['a/b', 'Pass it without a slash: a folder belongs to the object keys.'],
  ['/media', 'Pass it without a slash'],
  ['media/', 'Pass it without a slash'],
  ['s3://media', 'Pass it without a slash'],
  ['arn:aws:s3:::media', 'Pass the name of the bucket or the alias of the access point instead of the ARN.'],
  ['arn:aws:s3:eu-central-1:123456789012:accesspoint/media', 'Pass the name of the bucket or the alias'],
])('rejects the bucket %j with either style', (bucket, advice) => {
  for (const forcePathStyle of [true, false]) {
    const refusal = () => createS3MediaSigner(options({ bucket, forcePathStyle }));
    expect(refusal).toThrow(`${JSON.stringify(bucket)} is not a valid bucket name. ${advice}`);
  }
});

test.each([
  ...['team_recordings', 'Media', 'tenant:recordings', 'tenant:Team_Recordings', '-media', 'media.', 'a..b'],
  ...['a'.repeat(255), `${'my.'.repeat(60)}media`],
])('puts the bucket %s into the path, but not into a host name', (bucket) => {
  const url = sign({ bucket, forcePathStyle: true });
  const [start] = url.split('?');
  expect(start).toBe(`https://s3.eu-central-1.amazonaws.com/${bucket.replace(':', '%3A')}/mem_1/audio.wav`);
  expect(new URL(url).href).toBe(url);
  expect(() => sign({ bucket })).toThrow(
    `Failed to create an S3 media signer: the bucket ${JSON.stringify(bucket)} cannot be part of a host name. Set forcePathStyle to true.`,
  );
});

const account = 'https://0123456789abcdef.r2.cloudflarestorage.com';

test.each([
  [`${account}/recordings`, account],
  [`${account}/recordings/`, account],
  ['https://x.example/storage/v1/s3/recordings', 'https://x.example/storage/v1/s3'],
  ['https://recordings.fra1.digitaloceanspaces.com', 'https://fra1.digitaloceanspaces.com'],
  ['https://recordings.s3.eu-central-1.amazonaws.com', 'https://s3.eu-central-1.amazonaws.com'],
  ['https://RECORDINGS.s3.amazonaws.com/', 'https://s3.amazonaws.com'],
  ['https://recordings.s3.example:9443/base', 'https://s3.example:9443/base'],
  ['https://recordings.s3-accelerate.amazonaws.com', 'https://s3-accelerate.amazonaws.com'],
  ['https://recordings.storage.googleapis.com', 'https://storage.googleapis.com'],
])('rejects the endpoint %s, which contains the bucket, with either style', (endpoint, plain) => {
  for (const forcePathStyle of [true, false]) {
    expect(() => sign({ endpoint, bucket: 'recordings', forcePathStyle })).toThrow(
      `Failed to create an S3 media signer: the endpoint already contains the bucket "recordings". Pass the endpoint without it: "${plain}".`,
    );
  }
});

test('a storage can have the name of its bucket', () => {
  for (const endpoint of [
    ...['https://media.example.com', 'http://media:9000', 'http://media.storage.svc.cluster.local:9000'],
    ...['https://media-storage.eu.example.com', 'https://x.example/media/s3', 'https://x.example/my-media'],
  ]) {
    expect(sign({ endpoint, forcePathStyle: true })).toContain(`${endpoint}/media/mem_1/audio.wav?`);
  }
});

test.each([
  ['https://s3.eu-central-1.amazonaws.com', 'us-east-1', 'eu-central-1'],
  ['https://s3.eu-central-1.amazonaws.com', 'auto', 'eu-central-1'],
  ['https://s3-us-west-2.amazonaws.com', 'us-west-1', 'us-west-2'],
  ['https://s3.dualstack.eu-west-1.amazonaws.com', 'eu-west-3', 'eu-west-1'],
  ['https://s3-fips.us-gov-west-1.amazonaws.com', 'us-west-1', 'us-gov-west-1'],
  ['https://s3.cn-north-1.amazonaws.com.cn', 'cn-northwest-1', 'cn-north-1'],
  ['https://bucket.vpce-1a2b-5e6f.s3.us-east-1.vpce.amazonaws.com', 'us-east-2', 'us-east-1'],
])('rejects the endpoint %s for the region %s', (endpoint, region, served) => {
  const { hostname } = new URL(endpoint);
  for (const forcePathStyle of [true, false]) {
    expect(() => sign({ endpoint, region, forcePathStyle })).toThrow(
      `Failed to create an S3 media signer: the endpoint ${hostname} serves the region ${served}, but the region is ${region}. Pass the endpoint and the region of the bucket.`,
    );
    expect(sign({ endpoint, region: served, forcePathStyle })).toContain('mem_1/audio.wav?');
  }
});

test('endpoints of AWS without a region serve what their style allows', () => {
  const global = { endpoint: 'https://s3.amazonaws.com', region: 'eu-central-1' };
  expect(sign(global)).toContain('https://media.s3.amazonaws.com/mem_1/audio.wav?');
  expect(() => sign({ ...global, forcePathStyle: true })).toThrow('serves the region us-east-1');
  expect(sign({ ...global, region: 'us-east-1', forcePathStyle: true })).toContain('https://s3.amazonaws.com/media/');
  const accelerated = { endpoint: 'https://s3-accelerate.dualstack.amazonaws.com' };
  expect(sign(accelerated)).toContain('https://media.s3-accelerate.dualstack.amazonaws.com/mem_1/audio.wav?');
  expect(() => sign({ ...accelerated, forcePathStyle: true })).toThrow(
    's3-accelerate.dualstack.amazonaws.com does not support path style. Pass the endpoint of the region.',
  );
});

test.each(['', 'eu central', 'a/b', 'eu\n'])('rejects the region %j', (region) => {
  expect(() => createS3MediaSigner(options({ region }))).toThrow(
    / is not a valid region\. Pass one like "eu-central-1"\.$/,
  );
});

test.each([
  ['http://127.0.0.1:9000', 'media', '127.0.0.1 is an IP address, which cannot have a bucket before it'],
  ['https://[::1]:9000', 'media', '[::1] is an IP address, which cannot have a bucket before it'],
  ['http://minio:9000', 'media', 'no name server knows the host minio with a bucket before it'],
  ['http://localhost:9000', 'media', 'no name server knows the host localhost with a bucket before it'],
  ['http://s3.example', 'team_recordings', 'the bucket "team_recordings" cannot be part of a host name'],
  ['https://s3.example', 'my.media', 'the certificate of the endpoint is not valid for the bucket "my.media"'],
])('%s with the bucket %s needs path style', (endpoint, bucket, reason) => {
  expect(() => createS3MediaSigner(options({ endpoint, bucket }))).toThrow(reason);
  expect(() => createS3MediaSigner(options({ endpoint, bucket }))).toThrow(/Set forcePathStyle to true\.$/);
  expect(() => createS3MediaSigner(options({ endpoint, bucket, forcePathStyle: true }))).not.toThrow();
});

test.each([
  [undefined, 'the credentials are not an object'],
  [{ ...credentials, accessKeyId: '' }, 'the accessKeyId of the credentials is missing'],
  [{ ...credentials, accessKeyId: undefined }, 'the accessKeyId of the credentials is missing'],
  [{ ...credentials, secretAccessKey: 'hidden-secret\n' }, 'the secretAccessKey of the credentials is missing, or'],
  [{ ...credentials, sessionToken: 'hidden token' }, 'the sessionToken of the credentials is missing, or contains'],
  [{ ...credentials, expiration: new Date(Number.NaN) }, 'the expiration of the credentials is not a valid date'],
])('rejects the credentials %# with the reason and without a value', (wrong, reason) => {
  const refusal = () => createS3MediaSigner(options({ credentials: wrong as typeof credentials }));
  expect(refusal).toThrow(`Failed to create an S3 media signer: ${reason}`);
  expect(refusal).not.toThrow(/hidden|AKIA/);
});

test('printing the signer shows no credentials', () => {
  for (const given of [credentials, () => credentials]) {
    const signer = createS3MediaSigner(options({ credentials: given }));
    void signer.sign(audio);
    const printed = [inspect(signer, { depth: 9, showHidden: true }), JSON.stringify(signer), String(signer.sign)];
    expect(printed.join('\n')).not.toMatch(/hidden|AKIA/);
  }
});
