import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const key = 'AbC+dEf/1s"\'&<=123==';

/** Encodes random characters, and always those that the encoding cannot leave unchanged. */
type Encode = (text: string, chance: () => boolean) => string;

const hex = (character: string) => character.charCodeAt(0).toString(16);
const encodeWith =
  (always: RegExp, encode: (character: string) => string): Encode =>
  (text, chance) =>
    [...text].map((character) => (always.test(character) || chance() ? encode(character) : character)).join('');

const encodings: Record<string, Encode> = {
  'percent-encoding': encodeWith(/%/, (character) => `%${hex(character)}`),
  'percent-encoding of percent-encoding': encodeWith(/%/, (character) => `%25${hex(character).toUpperCase()}`),
  'escapes of JSON': encodeWith(/\\/, (character) => `\\u00${hex(character)}`),
  'JSON in JSON': encodeWith(/\\/, (character) => `\\\\u00${hex(character)}`),
  'backslashes of JSON': (text) => JSON.stringify(text).slice(1, -1),
};

test.each(Object.entries(encodings))('redacts a key in %s', (_title, encode) => {
  expect(redact(`Invalid API key ${encode(key, () => true)}.`, [key])).toBe('Invalid API key [redacted].');
});

test('redacts a key of which any part is encoded', () => {
  // Keys that look like an escape are left out: they could be decoded together with the escapes around them.
  const anyKey = fc.stringMatching(/^[\x21-\x7e]{5,30}$/).filter((text) => /\w{2}/.test(text) && !/[%\\]/.test(text));
  fc.assert(
    fc.property(
      anyKey,
      fc.constantFrom(...Object.values(encodings)),
      fc.infiniteStream(fc.boolean()),
      (apiKey, encode, flags) => {
        const encoded = encode(apiKey, () => flags.next().value === true);
        // A key such as "30!!!" can occur in its own escapes by chance.
        fc.pre(encoded === apiKey || !encoded.includes(apiKey));
        // The backslash of a first character may remain, but no part of the key.
        expect(redact(`bad ${encoded} end`, [apiKey])).toMatch(/^bad \\*\[redacted\] end$/);
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ['a backslash', 'ab\\cdefghij'],
  ['an escape', 'ab%2Fcdefghij'],
])('redacts a key that contains %s in each encoding', (_title, apiKey) => {
  for (const encode of Object.values(encodings))
    for (const chance of [true, false])
      expect(redact(`bad ${encode(apiKey, () => chance)} end`, [apiKey])).toMatch(/^bad \\*\[redacted\] end$/);
  for (const text of [encodeURIComponent(apiKey), JSON.stringify(apiKey), JSON.stringify(JSON.stringify(apiKey))])
    expect(redact(text, [apiKey])).not.toContain('cdefghij');
});

test('redacts a text that consists only of a key or its base64', () => {
  for (let length = 4; length < 12; length += 1) {
    const apiKey = key.slice(0, length);
    expect(redact(apiKey, [apiKey])).toBe('[redacted]');
    for (const before of ['', ' ', '  ']) {
      // The first and last characters also encode the bytes around the key, so they are left out.
      const certain = btoa(before + apiKey)
        .replace(/.=*$/, '')
        .slice(before.length && before.length + 1);
      expect(redact(certain, [apiKey])).toBe('[redacted]');
    }
  }
});

test.each([
  ['a key of backslashes', '\\'.repeat(14), '\\'.repeat(100_000)],
  ['a key of backslashes and a letter', `${'\\'.repeat(14)}x`, '\\'.repeat(100_000)],
  ['a key of percent signs', '%25'.repeat(20), '%25'.repeat(50_000)],
  ['a key of questions', '? ?'.repeat(20), '? '.repeat(100_000)],
])('for %s, the time grows at most linearly with the text', (_title, apiKey, text) => {
  // If redaction took exponential or quadratic time, this test would time out.
  expect(redact(text.repeat(10), [apiKey]).length).toBeGreaterThan(0);
});

test.each([
  'Proxy-Authorization: Basic cHJveHk6c2VjcmV0',
  'authorization : Bearer abc.def',
  '{"proxy-authorization":"Basic cHJveHk6c2VjcmV0"}',
  String.raw`{\"authorization\u0022:\"Basic cHJveHk6c2VjcmV0\"}`,
])('redacts the credentials of %s', (text) => {
  expect(redact(`GET / HTTP/1.1 ${text} end`, [])).toMatch(
    /^GET \/ HTTP.*authorization.*(basic|bearer) \[redacted\].* end$/i,
  );
});

test('shows a text without secrets unchanged, including escapes', () => {
  const text = String.raw`C:\new%20folder is "full" &amp; closed &#8212; \u0041`;
  expect(redact(text, [key])).toBe(text);
});

test('shows prose about keys and policies unchanged', () => {
  const prose = 'Send Authorization: Bearer {apiKey}, for Bearer authentication.';
  expect(redact(prose, [])).toBe(prose);
  const text = 'Invalid API key: it has expired. Policy: one key an account.';
  expect(redact(text, [key])).toBe(text);
});
