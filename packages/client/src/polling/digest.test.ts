import { expect, test } from 'vitest';
import { digest } from './digest.ts';

test('a digest of any text is short', () => {
  for (const text of ['', 'a', '\u0000', 'é'.repeat(100_000)]) expect(digest(text)).toMatch(/^[\da-z]{1,11}$/);
});

// A stored state must stay valid in every later release.
test('digests do not change between releases', () => {
  expect(['', 'a', 'Stand-up', 'Ünïcode 🎉'].map(digest)).toEqual([
    'm6u0r4u5mi',
    'spdvdo7tcs',
    '1r1dp8h0ne1',
    '6wadz220i8',
  ]);
});

// With a digest of 32 bits, about seven pairs would collide.
test('250,000 similar texts have different digests', () => {
  const digests = new Set<string>();
  for (let index = 0; index < 250_000; index += 1) digests.add(digest(`Meeting ${index}`));
  expect(digests.size).toBe(250_000);
});

test('each bit of a text affects each bit of its digest', () => {
  const text = 'A summary of the stand-up of Tuesday.';
  const before = BigInt(Number.parseInt(digest(text), 36));
  const flips = Array.from({ length: text.length * 7 }, (_item, bit) => {
    const unit = text.charCodeAt(Math.floor(bit / 7)) ^ (1 << (bit % 7));
    const other = text.slice(0, Math.floor(bit / 7)) + String.fromCharCode(unit) + text.slice(Math.floor(bit / 7) + 1);
    const difference = before ^ BigInt(Number.parseInt(digest(other), 36));
    return difference.toString(2).replaceAll('0', '').length;
  });
  const average = flips.reduce((sum, count) => sum + count, 0) / flips.length;
  expect(average).toBeGreaterThan(53 * 0.45);
  expect(average).toBeLessThan(53 * 0.55);
  expect(Math.min(...flips)).toBeGreaterThan(8);
});
