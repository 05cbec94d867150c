import { expect, test } from 'vitest';
import { isMediaUrlExpired, mediaUrlExpiresAt } from './media-url.ts';

const policy = (json: unknown) =>
  Buffer.from(JSON.stringify(json, null, 1))
    .toString('base64')
    .replace(/[+=/]/g, (c) => ({ '+': '-', '=': '_' })[c] ?? '~');
const cloudFrontPolicy = policy({
  Statement: [{ Resource: 'https://d1.example.com/*?>', Condition: { DateLessThan: { 'AWS:EpochTime': 1795183200 } } }],
});

test.each([
  ['AWS SigV4', 'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261120T130000Z&X-Amz-Expires=3600&X-Amz-Signature=ab'],
  ['AWS SigV4 in lower case', 'x-amz-date=20261120T130000Z&x-amz-expires=3600'],
  ['AWS V2', 'AWSAccessKeyId=AKIA&Signature=a%2Bb&Expires=1795183200'],
  ['Google V4', 'X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Date=20261120T130000Z&X-Goog-Expires=3600'],
  ['Google V2', 'GoogleAccessId=a%40b&Expires=1795183200&Signature=ab'],
  ['CloudFront, canned', 'Expires=1795183200&Signature=ab~_&Key-Pair-Id=K1'],
  ['CloudFront, with a policy', `Policy=${cloudFrontPolicy}&Signature=ab&Key-Pair-Id=K1`],
  ['Azure SAS', 'sv=2025-01-05&st=2026-11-20T13:00:00Z&se=2026-11-20T14%3A00%3A00Z&sr=b&sp=r&sig=ab%3D'],
  ['Azure SAS without seconds', 'se=2026-11-20T14%3A00Z&sig=ab'],
  ['Azure SAS without a zone', 'se=2026-11-20T14:00:00&sig=ab'],
  ['the reference server', 'expires=1795183200&type=audio%2Fwav&key=main&signature=ab'],
  ['several forms, of which the earliest counts', 'Expires=1795190000&X-Amz-Date=20261120T130000Z&X-Amz-Expires=3600'],
  ['a fragment behind it', 'Expires=1795183200&Signature=a#t=10&Expires=1'],
])('reads the expiry from a URL of %s', (_title, query) => {
  const expiry = new Date('2026-11-20T14:00:00Z');
  expect(mediaUrlExpiresAt(`https://media.example.com/a.wav?${query}`)).toEqual(expiry);
  // The expiry in the URL takes precedence over one hour after `issuedAt`.
  expect(mediaUrlExpiresAt(`https://media.example.com/a.wav?${query}`, { issuedAt: new Date(0) })).toEqual(expiry);
});

test('treats a date without a time as midnight UTC', () => {
  expect(mediaUrlExpiresAt('https://a.example/?se=2026-11-20&sig=ab')).toEqual(new Date('2026-11-20T00:00:00Z'));
});

test.each([
  'https://media.example.com/a.wav',
  'https://media.example.com/a.wav?',
  'https://media.example.com/a.wav?expires=3600',
  'https://media.example.com/a.wav?expires=never&X-Amz-Expires=3600',
  'https://media.example.com/a.wav?expires=1795183200000',
  'https://media.example.com/a.wav?expires=',
  'https://media.example.com/a.wav?X-Amz-Date=20261120T130000Z',
  'https://media.example.com/a.wav?X-Amz-Date=20269999T999999Z&X-Amz-Expires=3600',
  'https://media.example.com/a.wav?X-Amz-Date=20261120T130000Z&X-Amz-Expires=99999999999999',
  'https://media.example.com/a.wav?X-Amz-Date=20261120T130000Z&X-Amz-Expires=soon',
  'https://media.example.com/a.wav?se=2026-11-20T14:00:00Z',
  'https://media.example.com/a.wav?se=soon&sig=ab',
  'https://media.example.com/a.wav?se=5&sig=ab',
  'https://media.example.com/a.wav?Policy=%00&Signature=a',
  'https://media.example.com/a.wav?Policy=aGVsbG8_',
  'https://media.example.com/a.wav#?Expires=1795183200',
  'no URL at all',
  '',
])('for %s, the URL expires one hour after it was issued', (url) => {
  const issuedAt = new Date('2026-11-20T13:00:00Z');
  expect(mediaUrlExpiresAt(url)).toBeUndefined();
  expect(mediaUrlExpiresAt(url, { issuedAt })).toEqual(new Date('2026-11-20T14:00:00Z'));
  expect(mediaUrlExpiresAt(url, { issuedAt, lifetime: 60_000 })).toEqual(new Date('2026-11-20T13:01:00Z'));
  expect(mediaUrlExpiresAt(url, { issuedAt: new Date(Number.NaN) })).toBeUndefined();
});

const url = 'https://media.example.com/a.wav?Expires=1795183200&Signature=ab';
const at = (time: string) => new Date(`2026-11-20T${time}Z`);

test.each([
  ['13:59:59.999', 0, false],
  ['14:00:00.000', 0, true],
  ['13:58:59.999', 60_000, false],
  ['13:59:00.000', 60_000, true],
  ['14:00:30.000', -60_000, false],
])('at %s and with a margin of %i ms it is expired: %s', (now, margin, isExpired) => {
  expect(isMediaUrlExpired(url, { now: at(now), margin })).toBe(isExpired);
});

test('a URL without an expiry expires an hour after it was issued', () => {
  const unstated = 'https://media.example.com/a.wav?token=ab';
  expect(isMediaUrlExpired(unstated, { now: at('13:59:59.999'), issuedAt: at('13:00:00') })).toBe(false);
  expect(isMediaUrlExpired(unstated, { now: at('14:00:00'), issuedAt: at('13:00:00') })).toBe(true);
});

test('a URL with unknown expiry counts as expired', () => {
  expect(isMediaUrlExpired('https://media.example.com/a.wav', { now: at('13:00:00') })).toBe(true);
});

test('compares with the local time by default', () => {
  const soon = Math.floor(Date.now() / 1000) + 600;
  expect(isMediaUrlExpired(`https://a.example/?Expires=${soon}`)).toBe(false);
  expect(isMediaUrlExpired(`https://a.example/?Expires=${soon}`, { margin: 601_000 })).toBe(true);
});
