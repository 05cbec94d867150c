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
  'percent-encoding of UTF-16': encodeWith(/%/, (character) => `%u00${hex(character)}`),
  'escapes of JSON': encodeWith(/\\/, (character) => `\\u00${hex(character)}`),
  'backslashes of JSON': (text) => JSON.stringify(text).slice(1, -1),
  'escapes of code points': encodeWith(/\\/, (character) => `\\u{${hex(character)}}`),
  'escapes of C': encodeWith(/\\/, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'escapes of bytes': encodeWith(/\\/, (character) => `\\x${hex(character).toUpperCase()}`),
  'escapes of UTF-32': encodeWith(/\\/, (character) => `\\U000000${hex(character)}`),
  'decimal references of HTML': encodeWith(/&/, (character) => `&#${character.charCodeAt(0)};`),
  'padded decimal references of HTML': encodeWith(/&/, (character) => `&#0${character.charCodeAt(0)};`),
  'hexadecimal references of HTML': encodeWith(/&/, (character) => `&#x00${hex(character)};`),
  'names of HTML': (text) =>
    text.replace(/[&<>"'+=/]/g, (character) => htmlNames[character] ?? expect.fail('Every one has a name.')),
};

const htmlNames: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '+': '&plus;',
  '=': '&equals;',
  '/': '&sol;',
};

test.each(Object.entries(encodings))('redacts a key in %s', (_title, encode) => {
  expect(redact(`Invalid API key ${encode(key, () => true)}.`, [key])).toBe('Invalid API key [redacted].');
});

test('redacts a key whose parts are encoded in different ways, twice', () => {
  const encoding = fc.constantFrom(...Object.values(encodings));
  // Spaces around the key ensure that no other text becomes part of its escapes. Keys that look like an escape are left
  // out: they could be decoded together with the escapes around them.
  const anyKey = fc.stringMatching(/^[\x21-\x7e]{5,30}$/).filter((text) => /\w{2}/.test(text) && !/[%&\\]/.test(text));
  fc.assert(
    fc.property(anyKey, encoding, encoding, fc.infiniteStream(fc.boolean()), (apiKey, inner, outer, flags) => {
      const chance = () => flags.next().value === true;
      const text = `bad ${outer(inner(apiKey, chance), () => true)} end`;
      // Parts of the escapes of the first and the last character may remain, but no part of the key.
      const shown = redact(text, [apiKey]);
      expect(shown).toMatch(/^bad .{0,20}\[redacted\].{0,20} end$/);
      expect(shown).not.toContain(apiKey);
    }),
    { numRuns: 500 },
  );
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
  ['a key of references', '&amp;#x'.repeat(20), '&amp;#x'.repeat(50_000)],
  ['a key of zeros', `\\u{${'0'.repeat(50)}`, `\\u{${'0'.repeat(100_000)}`],
  ['a key of questions', '? ?'.repeat(20), '? '.repeat(100_000)],
])('for %s, the time grows at most linearly with the text', (_title, apiKey, text) => {
  // If redaction took exponential or quadratic time, this test would time out.
  expect(redact(text.repeat(10), [apiKey]).length).toBeGreaterThan(0);
});

test.each([
  'Proxy-Authorization: Basic cHJveHk6c2VjcmV0',
  'authorization : Bearer abc.def',
  '{"proxy-authorization":"Basic cHJveHk6c2VjcmV0"}',
  '<td>Authorization&#58; Basic cHJveHk6c2VjcmV0</td>',
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
