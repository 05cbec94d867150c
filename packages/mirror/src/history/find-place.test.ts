import { expect, test } from 'vitest';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { findPlace, secondOf } from './find-place.ts';

const last = 2 ** 34 - 1;

test('the index has a second for every year; those before 1970 and after 2514 share the first and the last', () => {
  expect(secondOf(Date.parse('2026-11-23T00:00:00.999Z'))).toBe(Date.parse('2026-11-23') / 1000);
  expect(secondOf(Date.parse('0001-01-01'))).toBe(0);
  expect(secondOf(Date.parse('9999-12-31'))).toBe(last);
});

test('memories of one second get different numbers; a full second spills into its neighbour', () => {
  const { database } = openTestMirror();
  const fill = (second: number, from: number, to: number) =>
    database
      .prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT ?2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3)
        INSERT INTO memories (memory_id, started_at, started_second, disambiguator, current_version, indexed_version,
          last_event, last_event_at, read_at, list_state) SELECT ?1 || ' ' || n, 0, ?1, n, 1, 1, 1, 0, 0, '' FROM numbers`,
      )
      .run(second, from, to);
  expect(findPlace(database, 7_000)).toEqual({ startedSecond: 7, disambiguator: 0 });
  fill(7, 0, 7_999);
  expect(findPlace(database, 7_999)).toEqual({ startedSecond: 7, disambiguator: 8_000 });
  fill(7, 8_000, 8_191);
  expect(findPlace(database, 7_000)).toEqual({ startedSecond: 8, disambiguator: 0 });
  database.prepare('DELETE FROM memories WHERE started_second = 7 AND disambiguator IN (0, 4000)').run();
  expect(findPlace(database, 7_000)).toEqual({ startedSecond: 7, disambiguator: 0 });
  fill(7, 0, 0);
  expect(findPlace(database, 7_000)).toEqual({ startedSecond: 7, disambiguator: 4_000 });
  fill(last, 0, 8_191);
  expect(findPlace(database, Date.parse('9999-12-31'))).toEqual({ startedSecond: last - 1, disambiguator: 0 });
});
