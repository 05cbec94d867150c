import { expect, test } from 'vitest';
import { parseHost, parsePort, parsePublicUrl } from './serve-arguments.ts';

test('accepts a port up to 65535', () => {
  expect(parsePort('0')).toBe(0);
  expect(parsePort('65535')).toBe(65_535);
  for (const text of ['65536', '-1', '80.5', '', 'http', '0x50']) {
    expect(() => parsePort(text)).toThrow(/^Failed to read --port: /);
  }
});

test('accepts an address or a name as host', () => {
  for (const text of ['127.0.0.1', '::', 'fe80::1%eth0', 'localhost']) expect(parseHost(text)).toBe(text);
});

test.each(['', ' ', 'local host', 'hush\n', '{hush}', 'http://hush'])(
  'rejects the host %j without repeating it',
  (text) => {
    expect(() => parseHost(text)).toThrow(/^Failed to read --host: it is not an address\./);
    expect(() => parseHost(text)).not.toThrow(/hush/);
  },
);

test('removes the slash at the end of a public URL, and keeps its path', () => {
  expect(parsePublicUrl('https://example.com/')).toBe('https://example.com');
  expect(parsePublicUrl('http://example.com:8080/api/memories/')).toBe('http://example.com:8080/api/memories');
});

test.each([
  ...['example.com', 'ftp://example.com', 'https://example.com/?a=1', 'https://example.com/#a'],
  ...['https://example.com/a b', 'https://user:hush@example.com'],
])('refuses the public URL %s without repeating it', (text) => {
  expect(() => parsePublicUrl(text)).toThrow(/^Failed to read --public-url: it is not a plain http or https URL/);
  expect(() => parsePublicUrl(text)).not.toThrow(/hush/);
});
