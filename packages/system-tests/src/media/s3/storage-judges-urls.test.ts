import { sampleMedia } from '@memory-read/fixtures';
import { createS3MediaSigner, type S3MediaSignerOptions } from '@memory-read/server/s3';
import { createFakeClock } from '@memory-read/server/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { askStorage } from './ask-storage.ts';
import { type S3TestServer, startS3TestServer } from './start-s3-test-server.ts';

const bucket = 'media';
const region = 'eu-central-1';
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a-secret/key+1', sessionToken: 'to/k+en==' };
const { bytes } = sampleMedia('audio');
const nastyKey = '/a//b c+d%20é!\'()*~😀"?#&=\\/';
const objects = { 'mem_1/audio.wav': bytes, 'mem_2/audio.wav': bytes, [nastyKey]: bytes };
const clock = createFakeClock('2026-11-20T12:00:00Z');
const styles = ['path style', 'virtual-host style'] as const;

let server: S3TestServer;
beforeAll(async () => {
  server = await startS3TestServer({ bucket, region, credentials, objects, clock });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => clock.set('2026-11-20T12:00:00Z'));

test.each(styles)('a storage serves what a URL of %s names, whole and by range', async (style) => {
  for (const objectKey of Object.keys(objects)) {
    const url = await sign(style, { objectKey });
    const whole = await askStorage(url);
    expect([whole.status, whole.headers['content-type']], objectKey).toEqual([200, 'audio/wav; codecs="1"']);
    expect(whole.body.equals(bytes)).toBe(true);
    const part = await askStorage(url, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(part.body.equals(bytes.subarray(10, 20))).toBe(true);
  }
});

test('a download goes on where it stopped, unless the object is another one by now', async () => {
  const url = await sign('path style');
  const { etag } = (await askStorage(url)).headers;
  const resume = (ifRange: unknown) =>
    askStorage(url, { headers: { range: 'bytes=100-', 'if-range': String(ifRange) } });
  expect((await resume(etag)).status).toBe(206);
  expect((await resume('"another"')).status).toBe(200);
  expect((await askStorage(url, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416);
});

test('a URL works for one hour from its signing, and from no other clock', async () => {
  const url = await sign('path style');
  clock.advance(3_600_000);
  expect((await askStorage(url)).status).toBe(200);
  clock.advance(1);
  expect(await outcomeOf(url)).toBe('403 AccessDenied');
  clock.set('2026-11-20T11:44:59Z');
  expect(await outcomeOf(url)).toBe('403 AccessDenied');
});

test('a URL whose expiry was over when it was signed is refused as expired', async () => {
  expect(await outcomeOf(await sign('path style', { expiresAt: new Date('2026-11-20T11:59:00Z') }))).toBe(
    '403 AccessDenied',
  );
});

test.each(styles)('a URL of %s with anything changed is refused', async (style) => {
  const url = await sign(style);
  expect(await outcomeOf(url)).toBe('200 ');
  const accepted: string[] = [];
  const changes = [...changedParameters(url), ...changedPlaces(url)];
  for (const changed of changes) {
    expect(changed).not.toBe(url);
    if (!/^40[03] /.test(await outcomeOf(changed))) accepted.push(changed);
  }
  expect(accepted).toEqual([]);
  expect(changes).toHaveLength(8 * 6 + 3 + 8);
});

test.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('a URL is for GET: %s is refused', async (method) => {
  expect((await askStorage(await sign('path style'), { method })).status).toBe(403);
});

test.each([
  ['region', { region: 'us-east-1' }],
  ['access key', { credentials: { ...credentials, accessKeyId: 'AKIAANOTHER' } }],
  ['secret', { credentials: { ...credentials, secretAccessKey: 'another' } }],
  ['session', { credentials: { ...credentials, sessionToken: 'another' } }],
  ['end of a session', { credentials: { ...credentials, sessionToken: undefined } }],
])('a URL that was signed for another %s is refused', async (_, options) => {
  expect(await outcomeOf(await sign('path style', options))).toBe('403 SignatureDoesNotMatch');
});

async function sign(
  style: (typeof styles)[number],
  options: Partial<S3MediaSignerOptions & { objectKey: string; expiresAt: Date }> = {},
): Promise<string> {
  const forcePathStyle = style === 'path style';
  const endpoint = forcePathStyle ? server.endpoint : server.namedEndpoint;
  const signer = createS3MediaSigner({ endpoint, region, bucket, credentials, forcePathStyle, clock, ...options });
  const expiresAt = new Date(clock.now().getTime() + 3_600_000);
  return signer.sign({ objectKey: 'mem_1/audio.wav', contentType: 'audio/wav; codecs="1"', expiresAt, ...options });
}

async function outcomeOf(url: string): Promise<string> {
  const { status, body } = await askStorage(url);
  return `${status} ${/<Code>(.*)<\/Code>/.exec(body.toString())?.[1] ?? ''}`;
}

/** Each parameter with another value, without one, twice, under another name, and not at all; and a further one. */
function changedParameters(url: string): string[] {
  const [start = '', search = ''] = url.split('?');
  const parameters = search.split('&');
  const changed = parameters.flatMap((parameter, index) => {
    const [name = '', value = ''] = parameter.split('=');
    const replacements = [
      [`${name}=${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`],
      [`${name}=${value.startsWith('1') ? '2' : '1'}${value.slice(1)}`],
      [`${name}=`],
      [parameter, parameter],
      [`${name.toLowerCase().replace(/^r/, 'R')}=${value}`],
      [],
    ];
    return replacements.map((replacement) => parameters.toSpliced(index, 1, ...replacement));
  });
  const further = ['x=1', 'response-content-disposition=attachment', 'X-Amz-Content-Sha256=UNSIGNED-PAYLOAD'];
  return [...changed, ...further.map((one) => [...parameters, one])].map((some) => `${start}?${some.join('&')}`);
}

/** Another object, another spelling of this one, the other style, another host. */
function changedPlaces(url: string): string[] {
  const other = url.includes(`${bucket}.localhost`)
    ? url.replace(`${bucket}.localhost`, 'localhost').replace('/mem_1', `/${bucket}/mem_1`)
    : url.replace('127.0.0.1', `${bucket}.localhost`).replace(`/${bucket}/`, '/');
  return [
    url.replace('mem_1', 'mem_2'),
    url.replace('mem_1/audio', 'mem_1//audio'),
    url.replace('mem_1/audio', 'mem_1/./audio'),
    url.replace('mem_1/audio', 'mem_1%2Faudio'),
    url.replace('mem_1', 'mem%5F1'),
    url.replace('mem_1', 'MEM_1'),
    other,
    url.replace(/localhost|127\.0\.0\.1/, 'storage.example'),
  ];
}
