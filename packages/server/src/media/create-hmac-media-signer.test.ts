import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHmacMediaSigner } from './create-hmac-media-signer.ts';

const secrets = [{ id: 'main', secret: 'a secret of at least 16 bytes' }];
const baseUrl = 'https://media.example.com';
const audio = { objectKey: 'mem_1/audio.wav', contentType: 'audio/wav', expiresAt: new Date('2026-11-20T13:00:00Z') };
const sign = (object: Partial<typeof audio> = {}, base = baseUrl) =>
  createHmacMediaSigner({ baseUrl: base, secrets }).sign({ ...audio, ...object });

test('a signed URL equals the published one, character for character', () => {
  expect(sign()).toBe(
    'https://media.example.com/mem_1/audio.wav?expires=1795179600&type=audio%2Fwav&key=main&signature=5m_AnMLGx-k7Ngf7iYmg07OrwT5U-Q1MKu9keAIfclo',
  );
  expect(sign({ objectKey: "ü/a b?#%'&.mp4", contentType: 'video/mp4; codecs="avc1.42E01E, mp4a.40.2"' })).toBe(
    "https://media.example.com/%C3%BC/a%20b%3F%23%25'%26.mp4?expires=1795179600&type=video%2Fmp4%3B%20codecs%3D%22avc1.42E01E%2C%20mp4a.40.2%22&key=main&signature=3Sy98EFOHRg1WAKGMAlAnGpCaFC8NAY0qyV2hpB31Eo",
  );
});

test('the signature is that of node:crypto for key, type, expiry and secret id, whatever they are', () => {
  const objectKeys = fc.string({ unit: 'grapheme', minLength: 1 }).filter((key) => !/(^|\/)\.\.?(\/|$)|\0/.test(key));
  const text = fc.string({ unit: 'binary', minLength: 16, maxLength: 200 });
  const seconds = fc.integer({ min: 0, max: 253_402_300_799 });
  fc.assert(
    fc.property(objectKeys, text, seconds, (objectKey, secret, expires) => {
      const signer = createHmacMediaSigner({ baseUrl, secrets: [{ id: 'k.1', secret }] });
      const url = signer.sign({ objectKey, contentType: 'image/png', expiresAt: new Date(expires * 1000) });
      const signed = `${objectKey}\nimage/png\n${expires}\nk.1`;
      expect(new URL(url).searchParams.get('signature')).toBe(
        createHmac('sha256', secret).update(signed).digest('base64url'),
      );
    }),
    { numRuns: 50 },
  );
});

test('parsing a URL does not change it', () => {
  const objectKey = 'a//b/!~*\'()\\:@é\u{1f600}\n|^`{}[]<>"';
  const url = sign({ objectKey, contentType: 'audio/x\'y; a="\'"' });
  expect(new URL(url).href).toBe(url);
  expect(decodeURIComponent(new URL(url).pathname)).toBe(`/${objectKey}`);
});

test('a URL expires at the end of the second of its expiry, so that it works for its whole lifetime', () => {
  for (const time of ['12:59:59.001', '12:59:59.999', '13:00:00.000']) {
    expect(sign({ expiresAt: new Date(`2026-11-20T${time}Z`) })).toBe(sign());
  }
  expect(sign({ expiresAt: new Date('2026-11-20T13:00:00.001Z') })).toContain('expires=1795179601&');
});

test('the first secret signs', () => {
  const retired = { id: 'retired', secret: 'another secret of 16 bytes' };
  const url = createHmacMediaSigner({ baseUrl, secrets: [...secrets, retired] }).sign(audio);
  expect(url).toBe(sign());
});

test('a base URL may have a path, with or without a slash at its end', () => {
  const signature = new URL(sign()).search;
  expect(sign({}, 'http://127.0.0.1:8787/media')).toBe(`http://127.0.0.1:8787/media/mem_1/audio.wav${signature}`);
  expect(sign({}, 'http://127.0.0.1:8787/media/')).toBe(`http://127.0.0.1:8787/media/mem_1/audio.wav${signature}`);
});

test.each([
  ['https://a.example/?', 'https://a.example/', 'query'],
  ['https://a.example/media#hidden', 'https://a.example/media', 'fragment'],
  ['https://a.example/media?token=hidden#hidden', 'https://a.example/media', 'query'],
])('rejects the base URL %j, and shows it only in part', (base, shown, part) => {
  expect(() => sign({}, base)).toThrow(
    new TypeError(
      `Failed to create a media signer: the base URL "${shown}" has a ${part}. Pass one like "https://media.example.com".`,
    ),
  );
});

test.each([
  ...['', '/media', 'media.example.com', 'ftp://media.example.com', 'user:hidden@a.example/media', 'hidden'],
  ...['https://user:hidden@host:99999/', 'https://user:hidden@a.example/media', 'https://hidden@a.example'],
  ...['https://:hidden@a.example', 'ftp://user:hidden@a.example'],
])('rejects the base URL %j without showing any of it', (base) => {
  expect(() => sign({}, base)).toThrow(
    /^Failed to create a media signer: the base URL is not an absolute http or https/,
  );
  expect(() => sign({}, base)).not.toThrow(/hidden|user|99999/);
});

test.each([
  [[], 'no secret is given'],
  [[{ id: '', secret: 'x'.repeat(16) }], 'the id of secret 1 cannot be part of a URL'],
  [[{ id: 'a&b', secret: 'x'.repeat(16) }], 'the id of secret 1 cannot be part of a URL'],
  [[{ id: 'a\n', secret: 'x'.repeat(16) }], 'the id of secret 1 cannot be part of a URL'],
  [[secrets[0], secrets[0]], 'secret 2 has the same id as an earlier one'],
  [[{ id: 'hidden-but-in-the-wrong-place', secret: 'main' }], 'secret 1 is shorter than 16 bytes'],
  [[{ id: 'main', secret: 'hidden-15-bytes' }], 'secret 1 is shorter than 16 bytes'],
])('rejects the secrets %# with the reason and without the secret', (wrong, reason) => {
  const refusal = () => createHmacMediaSigner({ baseUrl, secrets: wrong as typeof secrets });
  expect(refusal).toThrow(`Failed to prepare the media secrets: ${reason}`);
  expect(refusal).not.toThrow(/hidden|xxx/);
});

test('a secret is measured in bytes', () => {
  const signer = createHmacMediaSigner({ baseUrl, secrets: [{ id: 'main', secret: 'éééééééé' }] });
  expect(signer.sign(audio)).toContain('key=main');
});

test.each(['', '.', '..', 'a/../b', './a', 'a/.', 'a\0b', 'a\ud800b'])(
  'signs no URL for the object key %j',
  (objectKey) => {
    expect(() => sign({ objectKey })).toThrow(/^Failed to sign a media URL: the object key ".*" (is|contains)/);
  },
);

test.each([
  ...['', 'audio', 'audio/', 'text/html', 'application/pdf', 'image/svg+xml', 'IMAGE/SVG+XML', 'video/x+xml'],
  ...['audio/wav\n', 'audio/wav\r\nx: y', 'audio/é'],
])('signs no URL for the content type %j', (contentType) => {
  expect(() => sign({ contentType })).toThrow(/is not an audio, video or raster image type/);
});

test.each([new Date(Number.NaN), new Date(-1)])('signs no URL with the expiry %s', (expiresAt) => {
  expect(() => sign({ expiresAt })).toThrow(/^Failed to sign a media URL: expiresAt is/);
});

test('printing the signer shows no secret', () => {
  const signer = createHmacMediaSigner({ baseUrl, secrets });
  const printed = [inspect(signer, { depth: 9, showHidden: true }), JSON.stringify(signer), String(signer.sign)];
  expect(printed.join('\n')).not.toContain('at least 16');
});
