import { expect, test } from 'vitest';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { findPosition, lastSlotOf, slotOf } from './index-position.ts';

const slot = (time: string) => slotOf(Date.parse(time));

test('orders slots by time: seconds in the years 1900 to 2199, minutes in other years', () => {
  expect(slot('2026-11-23T00:00:01Z') - slot('2026-11-23T00:00:00.999Z')).toBe(1);
  expect(slot('1900-01-01T00:00:01Z') - slot('1899-12-31T23:58:59Z')).toBe(3);
  expect(slot('2200-01-01T00:02:00Z') - slot('2199-12-31T23:59:59Z')).toBe(3);
  const years = [
    '-000001-12-31',
    '0001-01-01',
    '1899-12-31',
    '1969-12-31',
    '1970-01-01',
    '9999-12-31',
    '+010000-01-02',
  ];
  const slots = years.map(slot);
  expect(slots).toEqual([...new Set(slots)].sort((one, other) => one - other));
  expect([slotOf(-8.64e15), slotOf(8.64e15)]).toEqual([0, 2 ** 34 - 1]);
});

test('gives memories of one second different numbers, and uses the next slot if one is full', () => {
  const { database } = openTestMirror();
  const fill = (startSlot: number, from: number, to: number) =>
    database
      .prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT ?2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3)
        INSERT INTO memories (memory_id, started_at, start_slot, disambiguator, current_version, indexed_version,
          last_event, last_event_at, read_at, list_state) SELECT ?1 || ' ' || n, 0, ?1, n, 1, 1, 1, 0, 0, '' FROM numbers`,
      )
      .run(startSlot, from, to);
  const seven = slotOf(7_000);
  expect(findPosition(database, 7_000)).toEqual({ startSlot: seven, disambiguator: 0 });
  fill(seven, 0, 7_999);
  expect(findPosition(database, 7_999)).toEqual({ startSlot: seven, disambiguator: 8_000 });
  expect(lastSlotOf(database, 7_000)).toBe(seven);
  fill(seven, 8_000, 8_191);
  expect(findPosition(database, 7_000)).toEqual({ startSlot: seven + 1, disambiguator: 0 });
  expect(lastSlotOf(database, 7_000)).toBe(seven + 1);
  database.prepare('DELETE FROM memories WHERE start_slot = ? AND disambiguator IN (0, 4000)').run(seven);
  expect(findPosition(database, 7_000)).toEqual({ startSlot: seven, disambiguator: 0 });
  fill(seven, 0, 0);
  expect(findPosition(database, 7_000)).toEqual({ startSlot: seven, disambiguator: 4_000 });
});
