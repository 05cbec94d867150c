import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const key = 'mrk>1?2~secret/33';

test.each(['', 'B', 'Bearer ', 'user:', '{"key":"'])('redacts a key after %j in every base64 alphabet', (before) => {
  for (const after of ['', '"', '"}', '"} ']) {
    const standard = btoa(before + key + after);
    for (const encoded of [standard, standard.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')]) {
      const shown = redact(`bad key: ${encoded} sent`, [key]);
      expect(shown).toMatch(/^bad key: [\w+/]{0,11}\[redacted\].{0,4} sent$/);
      // The characters that remain in front decode only to text from before the key.
      const [front = ''] = shown.slice('bad key: '.length).split('[redacted]');
      expect(before).toContain(atob(front.slice(0, front.length & ~3)));
    }
  }
});

test('redacts a key in another letter case', () => {
  expect(redact(key.toUpperCase(), [key])).toBe('[redacted]');
});

test('redacts a short key as a whole word only, because it is part of many words, and not its base64', () => {
  expect(redact('key a1: a12 and ba1, QWJj', ['a1'])).toBe('key [redacted]: a12 and ba1, QWJj');
});
