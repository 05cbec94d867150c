import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageStem, stemKey } from './page-stem.ts';

const stem = (name: string, isTaken?: (stem: string) => boolean) =>
  pageStem({ id: 'mem_1', name }, '2026-11-19', isTaken);

test.each([
  ['Appointment with Dr. Ito', 'Appointment with Dr. Ito'],
  ['Plan: Q1/Q2', 'Plan - Q1-Q2'],
  ['[[link]] #tag ^block', 'link-- -tag -block'],
  ['../../etc/passwd', 'etc-passwd'],
  ['  ...  ', 'Untitled'],
  ['', 'Untitled'],
  ['line\nbreak\u202e', 'line break'],
  ['\u2066שלום\u200f ABC\u200e \u061cمرحبا\u2069', 'שלום\u200f ABC\u200e \u061cمرحبا'],
  ['\u200f \u200d', 'Untitled'],
  ['👩🏽‍🚀 launch', '👩🏽‍🚀 launch'],
  ['あ'.repeat(200), 'あ'.repeat(33)],
])('%j', (name, safe) => {
  expect(stem(name)).toBe(`2026-11-19 ${safe} 2213`);
});

test('adds digits if the stem is taken', () => {
  expect(stem('Talk', (taken) => taken.endsWith(' 2213'))).toMatch(/^2026-11-19 Talk 2213[0-9a-f]{4}$/);
  expect(stem('Talk', () => true)).toMatch(/^[0-9a-f]{64}$/);
});

test('compares stems like file systems that ignore case, normalization and invisible characters', () => {
  expect(stemKey('שלום\u200f')).toBe(stemKey('שלום'));
  expect(stemKey('Ångström ﬁ')).toBe(stemKey('A\u030aNGSTRÖM FI'));
});

test('makes one segment of a path of any name, with at most 160 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const result = stem(name);
      expect(result).toMatch(/^2026-11-19 \S/u);
      expect(result).not.toMatch(/[/\\\p{Cc}<>:"|?*#^[\]]/u);
      expect(Buffer.byteLength(result)).toBeLessThanOrEqual(160);
    }),
  );
});
