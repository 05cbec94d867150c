import { expect, test, vi } from 'vitest';
import { createFakeClock } from '../testing/create-fake-clock.ts';
import { createHmacMediaSigner, encodeMediaTarget } from './create-hmac-media-signer.ts';
import { createMediaHost } from './create-media-host.ts';
import { createMediaKeyring, type MediaGrant } from './media-keyring.ts';

const main = { id: 'main', secret: 'a secret of at least 16 bytes' };
const next = { id: 'next', secret: 'the secret that follows it' };
const now = '2026-11-20T12:00:00.000Z';
const hour = 3_600_000;

function setUp({ hostSecrets = [main], signerSecrets = [main], basePath = '' } = {}) {
  const clock = createFakeClock(now);
  const open = vi.fn(async (_objectKey: string) => undefined);
  const host = createMediaHost({ source: { open }, secrets: hostSecrets, clock, basePath });
  const signer = createHmacMediaSigner({ baseUrl: `https://media.example.com${basePath}`, secrets: signerSecrets });
  const sign = (objectKey = 'é/a b.mp4', lifetime = hour) =>
    signer.sign({ objectKey, contentType: 'video/mp4', expiresAt: new Date(clock.now().getTime() + lifetime) });
  const ask = async (url: string, method = 'GET') => {
    const response = await host.fetch(new Request(url, { method }));
    return { status: response.status, detail: method === 'HEAD' ? null : (await response.json()).detail };
  };
  const openedKeys = () => open.mock.calls.map(([objectKey]) => objectKey);
  return { clock, host, open, openedKeys, sign, ask };
}

const invalid = { status: 403, detail: 'Media URL is not valid' };
const expired = { status: 403, detail: 'Media URL has expired' };
const unknown = { status: 404, detail: 'Media not found' };

test('a signed URL reaches the source, which is called with its object key', async () => {
  const { openedKeys, sign, ask } = setUp();
  expect(await ask(sign())).toEqual(unknown);
  expect(openedKeys()).toEqual(['é/a b.mp4']);
});

test('rejects a URL with one changed character in path or query before the source is called', async () => {
  const { open, sign, ask } = setUp({ basePath: '/media' });
  const url = sign();
  expect(await ask(url)).toEqual(unknown);
  open.mockClear();

  const start = url.indexOf('/media/') + 1;
  let changes = 0;
  for (let position = start; position < url.length; position += 1) {
    for (const replacement of replacementsOf(url[position] ?? '')) {
      const changed = url.slice(0, position) + replacement + url.slice(position + 1);
      const { status } = await ask(changed);
      expect([403, 404], changed).toContain(status);
      changes += 1;
    }
  }
  expect(changes).toBeGreaterThan(1000);
  expect(open).not.toHaveBeenCalled();
});

/**
 * Other characters of the same kind, the other case, the neighbours in base64url, which may decode alike, and special
 * characters of URLs.
 */
function replacementsOf(character: string): Set<string> {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const neighbours = [-3, -2, -1, 1, 2, 3].map((step) => alphabet[alphabet.indexOf(character) + step] ?? 'x');
  const replacements = new Set([
    ...neighbours,
    ...'aA0/.%&=?#+;-~ \t',
    character.toLowerCase(),
    character.toUpperCase(),
    '',
  ]);
  replacements.delete(character);
  return replacements;
}

test('rejects another encoding of the same values', async () => {
  const { open, sign, ask } = setUp();
  const url = sign();
  const [expires, type, key, signature] = new URL(url).search.slice(1).split('&');
  const path = url.slice(0, url.indexOf('?'));
  const spellings = [
    url.replace('%C3', '%c3'),
    url.replace('video%2Fmp4', 'video%2fmp4'),
    url.replace('.mp4?', '%2Emp4?'),
    url.replace('/a%20b', '%2Fa%20b'),
    url.replace('/a%20b', '//a%20b'),
    url.replace('video%2Fmp4', 'video/mp4'),
    url.replace('expires=', 'expires=0'),
    url.replace('expires=', 'expires=+'),
    url.replace('key=main', 'key=%6Dain'),
    `${url}=`,
    `${url}&`,
    `${url}&extra=1`,
    `${url}&${signature}`,
    `${url}&${type}`,
    `${path}?${type}&${expires}&${key}&${signature}`,
    `${path}?${expires}&${type}&${key}`,
    `${path}?${expires}&${type}&${signature}`,
    path,
  ];
  for (const spelling of spellings) expect(await ask(spelling), spelling).toEqual(invalid);
  expect(open).not.toHaveBeenCalled();
});

test('accepts spellings that every URL parser makes equal', async () => {
  const { openedKeys, sign, ask } = setUp({ basePath: '/media' });
  const url = sign('x/"é b".mp4');
  const spellings = [
    url.replace('/media/', '/media/./'),
    url.replace('/media/', '/y/../media/'),
    url.replace('/media/', '/media/%2E/'),
    url.replace('/media/', '/media\\'),
    url.replace('https://media', 'HTTPS://MEDIA'),
    url.replace('.com/', '.com:443/'),
    url.replaceAll('%22', '"').replace('%C3%A9', 'é').replace('%20', ' '),
    url.replace('.mp4', '.m\tp\n4'),
    ` ${url} `,
    `${url}#t=10`,
  ];
  for (const spelling of spellings) {
    expect(new URL(spelling).href.replace(/#.*/, ''), spelling).toBe(url);
    expect(await ask(spelling), spelling).toEqual(unknown);
  }
  expect(new Set(openedKeys())).toEqual(new Set(['x/"é b".mp4']));
});

test('type, expiry, key id and object of a URL cannot be exchanged', async () => {
  const { open, sign, ask } = setUp({ hostSecrets: [main, next] });
  const url = sign();
  const exchanged = [
    url.replace('video%2Fmp4', 'video%2Fwebm'),
    url.replace(/expires=\d+/, `expires=${Date.parse(now) / 1000 + 3601}`),
    url.replace('key=main', 'key=next'),
    url.replace('key=main', 'key=nobody'),
    url.replace('a%20b', 'c'),
  ];
  for (const changed of exchanged) expect(await ask(changed), changed).toEqual(invalid);
  expect(open).not.toHaveBeenCalled();
});

test('a URL works until the last millisecond of its lifetime and no longer', async () => {
  const { clock, open, sign, ask } = setUp();
  const url = sign();
  clock.advance(hour - 1);
  expect(await ask(url)).toEqual(unknown);
  open.mockClear();
  clock.advance(1);
  expect(await ask(url)).toEqual(expired);
  expect(await ask(url, 'HEAD')).toEqual({ status: 403, detail: null });
  for (const changed of [url.replace('a%20b', 'c'), url.replace('video%2Fmp4', 'video%2fmp4')])
    expect(await ask(changed)).toEqual(invalid);
  expect(open).not.toHaveBeenCalled();
});

test('a retired secret still verifies its URLs, a removed one does not', async () => {
  const url = setUp({ signerSecrets: [main] }).sign();
  expect(await setUp({ hostSecrets: [next, main] }).ask(url)).toEqual(unknown);
  expect(await setUp({ hostSecrets: [next] }).ask(url)).toEqual(invalid);
  expect(await setUp({ hostSecrets: [{ ...next, id: 'main' }] }).ask(url)).toEqual(invalid);
  expect(await setUp({ hostSecrets: [{ ...main, id: 'nobody' }] }).ask(url)).toEqual(invalid);
});

test('rejects what no signer would sign, even with a valid signature', async () => {
  const { open, ask } = setUp();
  const keyring = createMediaKeyring([main]);
  const grant = { objectKey: 'a', contentType: 'audio/wav', expires: Date.parse(now) / 1000 + 60 };
  const urlOf = (change: Partial<MediaGrant>) =>
    `https://media.example.com${encodeMediaTarget(keyring.sign({ ...grant, ...change }))}`;

  expect(await ask(urlOf({}))).toEqual(unknown);
  open.mockClear();
  for (const change of [{ contentType: 'text/html' }, { contentType: 'audio/wav\r\nx: y' }, { objectKey: 'a\0' }]) {
    expect(await ask(urlOf(change))).toEqual(invalid);
  }
  expect(open).not.toHaveBeenCalled();
});

test('no path leads to an object key that was not signed', async () => {
  const { openedKeys, sign, ask } = setUp();
  const query = new URL(sign('a')).search;
  // URL parsers resolve the first two paths to the signed URL.
  const [resolved, others] = [
    ['/../a', '/%2e%2e/a'],
    ['/./a', '/a/../../etc/passwd', '/..%2fa', '/%00', '/%zz'],
  ];
  for (const path of [...resolved, ...others, '/%ff', '/\\a', '//a']) {
    const { status } = await ask(`https://media.example.com/b${path}${query}`);
    expect(status, path).toBe(resolved.includes(path) ? 404 : 403);
  }
  expect(openedKeys()).toEqual(['a', 'a']);
});

test('a path with dot segments leads to no object, if the host shows it', async () => {
  const { open, sign, host } = setUp();
  const url = sign('a').replace('/a?', '/b/../a?');
  // Deno does not resolve dot segments in `url`.
  const response = await host.fetch(Object.defineProperty(new Request(url), 'url', { value: url }));
  expect([response.status, open.mock.calls]).toEqual([404, []]);
});

test('an object key may contain line feeds without naming another object', async () => {
  const { openedKeys, sign, ask } = setUp();
  const url = sign('a\nvideo/mp4');
  expect(await ask(url)).toEqual(unknown);
  expect(openedKeys()).toEqual(['a\nvideo/mp4']);
  expect(await ask(url.replace('%0Avideo/mp4', ''))).toEqual(invalid);
});

test('compares every character of a wrong signature, wherever it differs', async () => {
  const { sign, ask } = setUp();
  const url = new URL(sign());
  const signature = url.searchParams.get('signature') ?? expect.fail();
  const readsFor = async (position: number) => {
    const other = signature[position] === 'A' ? 'B' : 'A';
    url.searchParams.set('signature', signature.slice(0, position) + other + signature.slice(position + 1));
    const reads = vi.spyOn(String.prototype, 'charCodeAt');
    expect(await ask(url.href)).toEqual(invalid);
    const count = reads.mock.contexts.filter((text) => String(text).length === signature.length).length;
    reads.mockRestore();
    return count;
  };
  const [first, last] = [await readsFor(0), await readsFor(signature.length - 1)];
  expect(first).toBeGreaterThanOrEqual(2 * signature.length);
  expect(last).toBe(first);
});
