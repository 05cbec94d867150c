import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClientAddressOf } from './client-address.ts';

const networks = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'];
const addressOf = createClientAddressOf(networks);

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::1', '::1'],
  ['fe80::1%eth0', 'fe80::1'],
  [undefined, null],
])('without trusted proxies, the connection %s is %s, whatever a header says', (connection, address) => {
  const untrusting = createClientAddressOf();
  for (const forwardedFor of [undefined, '', '198.51.100.1', '::1, nonsense']) {
    expect(untrusting(connection, forwardedFor)).toBe(address);
  }
});

test.each([
  // The walk, of which the last test has every other case
  ['no header', undefined, '10.0.0.1'],
  ['an empty header', '', '10.0.0.1'],
  ['a caller that wrote a trusted address', '10.6.6.6, 198.51.100.1', '198.51.100.1'],
  ['only trusted addresses', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['an empty entry', '198.51.100.1,, 10.0.0.2', '10.0.0.2'],
  // The forms of an entry
  ['brackets', '[2001:DB9:0:0::1]', '2001:db9::1'],
  ['an IPv4 address in an IPv6 one', '::FFFF:198.51.100.1, ::ffff:a00:2', '198.51.100.1'],
  ['a zone, which names an interface of another machine', 'fe80::1%eth0, 2001:db8::2%25', 'fe80::1'],
  ['a network in another spelling', '198.51.100.1, 2001:0DB8:ffff::', '198.51.100.1'],
  ['brackets around an IPv4 address', '[198.51.100.1], 10.0.0.2', '10.0.0.2'],
  ['a port that is none', '198.51.100.1:x, 10.0.0.2', '10.0.0.2'],
  ['an octet with a leading zero', '198.51.100.010, 10.0.0.2', '10.0.0.2'],
  ['a host name', 'localhost, 10.0.0.2', '10.0.0.2'],
  ['a quoted entry', '"198.51.100.1", 10.0.0.2', '10.0.0.2'],
  ['a key', 'mrk_secret, 10.0.0.2', '10.0.0.2'],
  ['a key as a zone', 'fe80::1%mrk-secret, 10.0.0.2', 'fe80::1'],
])('behind a trusted proxy: %s', (_, forwardedFor, address) => {
  expect(addressOf('10.0.0.1', forwardedFor)).toBe(address);
  expect(addressOf('::ffff:10.0.0.1', forwardedFor)).toBe(address);
});

test('the header of a connection that is not trusted does not count', () => {
  for (const connection of ['9.255.255.255', '11.0.0.0', '192.0.2.6', '2001:db9::1', '::2', '::ffff:11.0.0.0']) {
    expect(addressOf(connection, '198.51.100.1')).toBe(connection.replace('::ffff:', ''));
  }
});

test('a very long header is read only as far as trusted proxies have written', () => {
  const forged = '203.0.113.1, '.repeat(100_000);
  expect(addressOf('10.0.0.1', `${forged}198.51.100.1, 10.0.0.2`)).toBe('198.51.100.1');
  expect(addressOf('10.0.0.1', `198.51.100.1,${' '.repeat(500_000)}x, 10.0.0.2`)).toBe('10.0.0.2');
  expect(addressOf('10.0.0.1', `198.51.100.1${', 10.0.0.2'.repeat(1_500)}`)).toBe('198.51.100.1');
});

test.each([
  ['0.0.0.0/0', '10.0.0.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '2001:db8::1', true],
  ['::ffff:10.0.0.0/104', '10.9.9.9', true],
  ['::ffff:10.0.0.0/104', '11.0.0.0', false],
  // The same bits as 2001:db8::.
  ['2001:db8::/32', '32.1.13.184', false],
  ['10.1.2.3/8', '10.0.0.1', true],
  ['fe80::/10', 'fe80::1%eth0', true],
])('%s contains %s: %s', (network, address, isTrusted) => {
  const result = createClientAddressOf([network])(address, '198.51.100.1');
  expect(result === '198.51.100.1').toBe(isTrusted);
});

test.each([
  ...['', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.0/8x', '010.0.0.1'],
  ...['*', 'fe80::1%eth0', ' 10.0.0.1', 'mrk_secret'],
])('rejects %j as a trusted proxy without repeating it', (entry) => {
  expect(() => createClientAddressOf(['10.0.0.0/8', entry])).toThrow(
    new TypeError(
      "Failed to start the server: entry 2 of trustedProxies is not an address or a network. Pass an array such as ['10.0.0.0/8', '::1'].",
    ),
  );
});

test('for every header, the result is that of a walk over its entries', () => {
  const octet = fc.nat(255);
  const outside = fc.tuple(fc.constantFrom(9, 11, 198, 223), octet, octet, octet).map((parts) => parts.join('.'));
  const inside = fc.tuple(octet, octet, octet).map((parts) => ['10', ...parts].join('.'));
  const group = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16));
  const groups = fc.array(group, { minLength: 6, maxLength: 6 }).map((parts) => parts.join(':'));
  const v4 = fc.oneof(
    outside.map((address) => ({ address, isTrusted: false })),
    inside.map((address) => ({ address, isTrusted: true })),
  );
  const v6 = fc.oneof(
    groups.map((rest) => ({ address: `2001:db9:${rest}`, isTrusted: false })),
    groups.map((rest) => ({ address: `2001:db8:${rest}`, isTrusted: true })),
  );
  const port = fc.oneof(
    fc.constant(''),
    fc.nat(65_535).map((number) => `:${number}`),
  );
  const space = fc.constantFrom('', ' ', '\t', ' \t ');
  const entry = fc.oneof(
    fc.tuple(v4, port).map(([{ address, isTrusted }, suffix]) => ({ text: address + suffix, address, isTrusted })),
    v4.map(({ address, isTrusted }) => ({ text: `::ffff:${address}`, address, isTrusted })),
    v6.map(({ address, isTrusted }) => ({ text: address.toUpperCase(), address, isTrusted })),
    fc.tuple(v6, port).map(([{ address, isTrusted }, end]) => ({ text: `[${address}]${end}`, address, isTrusted })),
    fc
      .string()
      .filter((text) => !text.includes(',') && isIP(text.trim()) === 0 && !/\d\.\d+\.\d+\.\d|:.*:/.test(text))
      .map((text) => ({ text, address: undefined, isTrusted: false })),
  );
  fc.assert(
    fc.property(v4, fc.array(fc.tuple(space, entry, space)), (connection, entries) => {
      const header = entries.map(([before, { text }, after]) => before + text + after).join(',');
      let expected = connection;
      for (const [, { address, isTrusted }] of entries.toReversed()) {
        if (!expected.isTrusted || address === undefined) break;
        expected = { address, isTrusted };
      }
      expect(addressOf(connection.address, header)).toBe(expected.address);
    }),
    { numRuns: 500 },
  );
});
