import { expect, test } from 'vitest';
import { isMediaAllowed, isMediaOrigin } from './media-origins.ts';

const PUBLIC = 'https://api.example.com/prefix';
const isAllowed = (url: string, api = PUBLIC, origins?: readonly string[]) =>
  isMediaAllowed(new URL(url), api, origins);

const loopback =
  `
  localhost LOCALHOST localhost. media.localhost 127.0.0.1 127.8.9.1 127.0.0.1. 0x7f.1 2130706433 0177.0.0.1
  [::1] [0:0::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:0:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1]
  ①②⑦.0.0.1`.match(/\S+/g) ?? [];
const privates =
  `
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1 0xc0a80101 100.64.0.1 100.100.100.200
  100.127.255.255 198.18.0.1 198.19.255.255 [fc00::1] [fd00:ec2::254] [fec0::1] [::ffff:10.0.0.1]
  [::ffff:192.168.0.0] [64:ff9b::10.0.0.1] [::10.0.0.1] [fd00::]`.match(/\S+/g) ?? [];
const forbidden =
  `
  169.254.169.254 0xa9fea9fe 2852039166 169.254.0.1 0.0.0.0 0 0.1.2.3 [::] [fe80::1] [febf::1]
  [::ffff:169.254.169.254] [64:ff9b::a9fe:a9fe] [::ffff:0.0.0.0] [::ffff:0:0:0] 224.0.0.1 239.1.2.3 240.0.0.1
  255.255.255.255 [ff02::1] [64:ff9b::] 192.0.0.192 192.0.2.1 192.88.99.1 198.51.100.1 203.0.113.1 [100::1]
  [2001:db8::1] [2001::1] [2001:0:a00:1::] [2002:a9fe:a9fe::1] [2002:808:808::1] [64:ff9b:1::a00:1]
  [64:ff9b:1::a9fe:a9fe]`.match(/\S+/g) ?? [];
const publics =
  `
  media.example.com MEDIA.example.com. münchen.example 8.8.8.8 9.255.255.255 11.0.0.1 172.15.255.255
  172.32.0.1 100.63.255.255 100.128.0.1 192.167.0.1 169.253.0.1 126.0.0.1 128.0.0.1 223.255.255.255 198.17.0.1
  198.20.0.1 192.0.1.1 192.88.98.1 [2606:4700::1111] [2001:4860::1] [::ffff:8.8.8.8] [64:ff9b::8.8.8.8]
  notlocalhost localhost.example.com 10.example.com fc00.example.com [fc::1] [fe8::1] 127.0.0.1.example.com
  192.168.example.com 0.example.com 169.254.example.com`.match(/\S+/g) ?? [];

test.each([
  { api: PUBLIC, allowed: [publics], refused: [privates, loopback, forbidden] },
  { api: 'https://10.0.0.1', allowed: [publics, privates], refused: [loopback, forbidden] },
  { api: 'https://[fd00::1]', allowed: [publics, privates], refused: [loopback, forbidden] },
  { api: 'https://localhost', allowed: [publics, privates, loopback], refused: [forbidden] },
  { api: 'https://[::1]:8443', allowed: [publics, privates, loopback], refused: [forbidden] },
  { api: 'https://169.254.1.1', allowed: [publics], refused: [privates, loopback, forbidden] },
])('without mediaOrigins, the address of the API decides: $api', ({ api, allowed, refused }) => {
  expect(allowed.flat().filter((host) => !isAllowed(`https://${host}/a.wav`, api))).toEqual([]);
  expect(refused.flat().filter((host) => isAllowed(`https://${host}/a.wav`, api))).toEqual([]);
});

test.each([
  ['http://media.example.com/a', PUBLIC, false],
  ['http://127.0.0.1/a', 'https://localhost', false],
  ['http://media.example.com/a', 'http://api.example.com', true],
  ['https://media.example.com/a', 'http://api.example.com', true],
  ['http://127.0.0.1:9000/a', 'http://127.0.0.1:8000', true],
])('without mediaOrigins, an API on https has no media on http: %s of %s', (url, api, expected) => {
  expect(isAllowed(url, api)).toBe(expected);
});

test.each([
  ['https://media.example.com/a?b', ['https://media.example.com'], true],
  ['https://media.example.com/a', ['https://other.example.com', 'HTTPS://MEDIA.example.com:443/'], true],
  ['https://media.example.com:8443/a', ['https://media.example.com'], false],
  ['http://media.example.com/a', ['https://media.example.com'], false],
  ['https://media.example.com./a', ['https://media.example.com'], false],
  ['http://10.0.0.1:9000/a', ['http://10.0.0.1:9000'], true],
  ['http://169.254.169.254/a', ['http://169.254.169.254'], true],
  ['https://media.example.com/a', [], false],
  ['https://a.example.com/a', ['https://*.example.com'], true],
  ['https://a.b.example.com/a', ['https://*.example.com'], true],
  ['https://example.com/a', ['https://*.example.com'], false],
  ['https://evilexample.com/a', ['https://*.example.com'], false],
  ['https://example.com.evil.test/a', ['https://*.example.com'], false],
  ['http://a.example.com/a', ['https://*.example.com'], false],
  ['https://a.example.com:8443/a', ['https://*.example.com'], false],
  ['https://a.example.com:8443/a', ['https://*.example.com:8443'], true],
  ['https://a.xn--mnchen-3ya.example/a', ['https://*.münchen.example'], true],
])('with mediaOrigins, exactly these origins are allowed: %s of %j', (url, origins, expected) => {
  expect(isAllowed(url, PUBLIC, origins)).toBe(expected);
});

const origins = ['https://media.example.com', 'https://media.example.com/', 'http://10.0.0.1:9000', 'http://[::1]'];

test.each([...origins, 'https://*.example.com'])('is an origin: %s', (entry) => {
  expect(isMediaOrigin(entry)).toBe(true);
});

const noOrigins = `
  * media.example.com https:// https://* https://*. https://*.*.example.com https://a.*.com https://a*.example.com
  https://user@media.example.com https://:pw@media.example.com ftp://a.example https://media.example.com/path null
  https://media.example.com? https://media.example.com# file:///a blob:https://a.example https://a.example/*`.match(
  /\S+/g,
);

test.each<unknown>([...(noOrigins ?? []), '', undefined, null, 1, new URL('https://a.example')])(
  'is not an origin: %s',
  (entry) => {
    expect(isMediaOrigin(entry)).toBe(false);
  },
);
