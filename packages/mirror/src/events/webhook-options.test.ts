import { expect, test } from 'vitest';
import { createWebhookSender } from './webhook-sender.ts';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
const secret = secretOf(32);

test.each([
  'https://hooks.example.com',
  'http://localhost:5678/webhook/1?a=b',
  'http://127.1.2.3',
  'http://[::1]:80',
  new URL('https://192.168.1.2/'),
])('accepts %s', (url) => {
  expect(() => createWebhookSender({ url, secret })).not.toThrow();
});

test.each([
  ['', 'is not an http'],
  ['example.com/hook', 'is not an http'],
  ['https:example.com', 'is not an http'],
  ['ftp://example.com', 'is not an http'],
  ['https://', 'is not an http'],
  [undefined, 'is not an http'],
  ['https://user@example.com/s3cret', 'has a user or a password'],
  ['https://:w0rd@example.com/s3cret', 'has a user or a password'],
  ['https://example.com/s3cret#', 'has a fragment'],
  ['https://example.com/s3cret#part', 'has a fragment'],
  ['http://example.com/s3cret', 'http://example.com is not encrypted'],
  ['http://192.168.1.2/s3cret', 'is not encrypted'],
  ['http://127.0.0.1.example.com/s3cret', 'is not encrypted'],
  ['http://a.localhost/s3cret', 'is not encrypted'],
])('refuses the URL %s', (url, reason) => {
  const create = () => createWebhookSender({ url: url as string, secret });
  expect(create).toThrow(expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(reason) }));
  expect(create).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/s3cret|user@|w0rd/) }));
});

test('accepts http with allowInsecureHttp', () => {
  const url = 'http://homeassistant.local:8123/api/webhook/1';
  expect(() => createWebhookSender({ url, secret, allowInsecureHttp: true })).not.toThrow();
});

test.each([
  [undefined],
  [''],
  [[]],
  ['whsec_'],
  [secretOf(23)],
  [secretOf(65)],
  [secret.replace('whsec_', '')],
  [secret.replace('=', '')],
  [`${secret}\n`],
  [[secret, secretOf(5)]],
  [`whsec_${'_'.repeat(44)}`],
])('refuses the secret %j', (given) => {
  expect(() => createWebhookSender({ url: 'https://example.com', secret: given as string })).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message:
        'Failed to create a webhook sender: secret is not whsec_ and 24 to 64 bytes in Base64. Pass whsec_ and the output of: openssl rand -base64 32.',
    }),
  );
});

test.each([
  { timeout: 0 },
  { timeout: 1.5 },
  { allowInsecureHTTP: true },
  { fetch: 'fetch' },
  { allowInsecureHttp: 1 },
])('refuses the options %j', (options) => {
  expect(() => createWebhookSender({ url: 'https://example.com', secret, ...(options as object) })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});
