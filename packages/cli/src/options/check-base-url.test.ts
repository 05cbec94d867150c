import { expect, test } from 'vitest';
import { checkBaseUrl, isSameBaseUrl } from './check-base-url.ts';

test.each([
  ['https://api.test', 'https://api.test'],
  [' https://API.test:443/memories/ ', 'https://api.test/memories'],
  ['http://localhost:8787', 'http://localhost:8787'],
  ['http://127.9.8.7/', 'http://127.9.8.7'],
  ['http://127.1', 'http://127.0.0.1'],
  ['http://[::1]:1', 'http://[::1]:1'],
])('allows %j', (text, expected) => {
  expect(checkBaseUrl(text, false)).toBe(expected);
});

test.each([
  ['http://api.test', 'http:// would send the key unencrypted to api.test'],
  ['HTTP://10.0.0.5:80', 'unencrypted to 10.0.0.5'],
  ['http://0.0.0.0', 'unencrypted'],
  ['http://[::]', 'unencrypted'],
  ['http://[::ffff:127.0.0.1]', 'unencrypted'],
  ['http://127.0.0.1.evil.test', 'unencrypted to 127.0.0.1.evil.test'],
  ['http://localhost.', 'unencrypted'],
  ['http://a.localhost', 'unencrypted'],
  ['http://localhost@evil.test', 'it contains a user name'],
  ['https://ada:hush@api.test', 'it contains a user name or a password'],
  ['https://api.test?hush', 'it contains a query or a fragment'],
  ['https://api.test/#hush', 'it contains a query or a fragment'],
  ['api.test', 'it does not begin with https://'],
  ['https:api.test', 'it does not begin with https://'],
  ['https://', 'it does not begin with https://'],
  ['file:///etc/hush', 'it does not begin with https://'],
  ['mrk_hush', 'it does not begin with https://'],
  ['', 'it does not begin with https://'],
])('rejects %j without repeating a secret', (text, reason) => {
  const message = expect.stringMatching(/^(?!.*hush)Failed to use the base URL: /);
  const check = () => checkBaseUrl(text, false);
  expect(check).toThrow(expect.objectContaining({ exitCode: 2, message }));
  expect(check).toThrow(reason);
});

test('allows only http:// in addition for every host with permission', () => {
  expect(checkBaseUrl('http://intranet.test/', true)).toBe('http://intranet.test');
  expect(() => checkBaseUrl('ftp://intranet.test', true)).toThrow('it does not begin with https://');
});

test('treats base URLs as the same only with the same scheme, host, port and path', () => {
  expect(isSameBaseUrl('https://api.test/a/', 'https://API.test:443/a')).toBe(true);
  for (const other of [
    ...['http://api.test/a', 'https://api.test/b', 'https://api.test:1/a', 'https://b.test/a', '', 'a'],
  ]) {
    expect(isSameBaseUrl('https://api.test/a', other)).toBe(false);
  }
  expect(isSameBaseUrl('nonsense', 'nonsense')).toBe(false);
});
