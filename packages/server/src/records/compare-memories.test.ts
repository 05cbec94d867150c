import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareMemories, compareUtf8 } from './compare-memories.ts';

const started_at = '2026-03-01T09:00:00.000Z';

test('sorts newer memories first, by their time and not by its spelling', () => {
  const memories = [
    { id: 'a', started_at: '2026-03-01T12:00:00+02:00' },
    { id: 'b', started_at: '2026-03-01T11:00:00Z' },
    { id: 'c', started_at: '2026-03-01T10:30' },
  ];
  expect(memories.sort(compareMemories).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
});

test('sorts memories of the same time by id, descending, even if the time is spelled differently', () => {
  const memories = ['a', '\uffff', 'z', '😀', 'é'].map((id) => ({ id, started_at }));
  expect(memories.sort(compareMemories).map(({ id }) => id)).toEqual(['😀', '\uffff', 'é', 'z', 'a']);
  expect(
    compareMemories({ id: 'a', started_at }, { id: 'b', started_at: '2026-03-01T10:00:00+01:00' }),
  ).toBeGreaterThan(0);
  expect(compareMemories({ id: 'a', started_at }, { id: 'a', started_at })).toBe(0);
});

test('compares ids by their UTF-8 bytes', () => {
  const unit = fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '🁀', '\u{10ffff}');
  const ids = fc.string({ unit });
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
