import { expect, test } from 'vitest';
import { isAllowedHost, isLoopback, isSameBaseUrl, readBaseUrl } from './base-url.ts';

test.each([
  ['https://api.test', 'https://api.test'],
  [' https://API.test:443/memories/ ', 'https://api.test/memories'],
  ['http://localhost:8787', 'http://localhost:8787'],
  ['http://127.9.8.7/', 'http://127.9.8.7'],
  ['http://127.1', 'http://127.0.0.1'],
  ['http://[::1]:1', 'http://[::1]:1'],
])('accepts %j', (text, url) => {
  expect(readBaseUrl(text, false)).toEqual({ url });
});

test.each([
  ['unencrypted', 'http://api.test', 'api.test'],
  ['unencrypted', 'HTTP://10.0.0.5:80', '10.0.0.5'],
  ['unencrypted', 'http://0.0.0.0', '0.0.0.0'],
  ['unencrypted', 'http://[::]', '[::]'],
  ['unencrypted', 'http://[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ['unencrypted', 'http://127.0.0.1.evil.test', '127.0.0.1.evil.test'],
  ['unencrypted', 'http://localhost.', 'localhost.'],
  // Some resolvers send such names to the network.
  ['unencrypted', 'http://a.localhost', 'a.localhost'],
  ['unencrypted', 'http://notlocalhost', 'notlocalhost'],
  ['credentials', 'http://localhost@evil.test', 'evil.test'],
  ['credentials', 'https://ada:hush@api.test', 'api.test'],
  ['query', 'https://api.test?hush', 'api.test'],
  ['query', 'https://api.test/?', 'api.test'],
  ['query', 'https://api.test/#hush', 'api.test'],
  ['syntax', 'https://', ''],
  ...['', 'api.test', '127.0.0.1:8787', '/api', 'ftp://api.test', 'file:///etc', 'mrk_hush'].map((text) => [
    ...['scheme', text, ''],
  ]),
  // Most likely, the slashes were forgotten: the parser would take a host from it.
  ['scheme', 'https:api.test', ''],
])('finds %s in %j', (problem, text = '', host) => {
  expect(readBaseUrl(text, false)).toEqual({ problem, host });
});

test('accepts only http:// in addition for every host with permission', () => {
  expect(readBaseUrl('http://intranet.test/', true)).toEqual({ url: 'http://intranet.test' });
  expect(readBaseUrl('ftp://intranet.test', true)).toMatchObject({ problem: 'scheme' });
});

test('base URLs are the same only with the same scheme, host, port and path', () => {
  expect(isSameBaseUrl('https://api.test/a/', 'https://API.test:443/a')).toBe(true);
  for (const other of ['http://api.test/a', 'https://api.test/b', 'https://api.test:1/a', 'https://b.test/a', '', 'a'])
    expect(isSameBaseUrl('https://api.test/a', other)).toBe(false);
  expect(isSameBaseUrl('nonsense', 'nonsense')).toBe(false);
});

test.each([
  ...['localhost', '127.0.0.1', '127.9.8.7', '[::1]', '::1'].map((host) => [host, true] as const),
  ...['', 'a.localhost', '0.0.0.0', '::', '127.0.0.1.evil.test'].map((host) => [host, false] as const),
])('%j is a loopback host: %j', (host, isOne) => {
  expect(isLoopback(host)).toBe(isOne);
});

const allowed = ['mock', 'api.example.com:8080', 'fe80::1', 'münchen.example'];

test.each([
  ...['localhost', 'LOCALHOST:8791', '127.0.0.1:8791', '127.1.2.3', '[::1]:8791', '::1'],
  ...['mock', 'Mock:8791', 'api.example.com:8080', '[fe80::1]:8791', 'xn--mnchen-3ya.example'],
])('the host %j is allowed', (host) => {
  expect(isAllowedHost(host, allowed)).toBe(true);
});

test.each([
  ...[null, undefined, '', 'evil.example', 'evil.example:8791', '127.0.0.1.evil.example', 'localhost.evil.example'],
  ...[
    'a.localhost',
    'mock.evil.example',
    'mock@evil.example',
    'evil.example#mock',
    'localhost/',
    'mock, mock',
    '0.0.0.0',
  ],
  ...['api.example.com', 'api.example.com:8081', '[fe80::2]', 'localhost:99999', '[::1', '0x7f.evil.example', ':8791'],
])('the host %j is refused', (host) => {
  expect(isAllowedHost(host, allowed)).toBe(false);
});

test('without names, only loopback names are allowed', () => {
  expect(['localhost:1', 'mock', '[::1]'].map((host) => isAllowedHost(host, []))).toEqual([true, false, true]);
});
