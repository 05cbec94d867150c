import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareMemories, compareUtf8 } from './compare-memories.ts';

test('sorts newer memories first, and those of one instant by id, however the time is spelled', () => {
  const memories = [
    { id: 'd', started_at: '2026-03-01T12:00:00+02:00' },
    { id: 'a', started_at: '2026-03-01T11:00:00Z' },
    { id: 'c', started_at: '2026-03-01T10:00' },
    { id: 'b', started_at: '2026-03-01T10:30' },
  ];
  expect(memories.sort(compareMemories).map(({ id }) => id)).toEqual(['a', 'b', 'd', 'c']);
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
