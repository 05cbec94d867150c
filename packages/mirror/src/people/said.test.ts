import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Spoken, saidOf } from './said.ts';

type Row = [label: string, start: string, end: string, text: string];

const [nine, ten] = ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z'];

function spoken(...rows: Row[]): Spoken {
  return {
    transcript: {
      segments: rows.map(([speaker, start_at, end_at, text]) => ({ speaker, start_at, end_at, text })),
    },
  };
}

function digest(value: unknown): string {
  return `sha256-${createHash('sha256').update(JSON.stringify(value)).digest('base64url')}`;
}

test('a digest is that of times and texts of a label, in the stored order', () => {
  const memory = spoken(['b', ten, ten, 'z'], ['a', nine, ten, 'x'], ['b', nine, ten, 'y']);
  const [at, then] = [Date.parse(nine), Date.parse(ten)];
  const rowsOfB = [
    [then, then, 'z'],
    [at, then, 'y'],
  ];
  expect([...saidOf(memory)]).toEqual([
    ['b', digest(rowsOfB)],
    ['a', digest([[at, then, 'x']])],
  ]);
  expect(saidOf(spoken(['a', nine, ten, 'x'])).get('a')).toBe('sha256-lPvfeLd47PeoY8x9-lEnG9kPKjls6ZlBXgkOBaV__2c');
});

test('the spelling of a time does not count, and an unreadable time is a text', () => {
  const [first, second] = ['2026-03-01T10:00:00.000+01:00', '2026-03-01T09:00'].map(
    (start) => saidOf(spoken(['a', start, 'soon', '\ud800'])).get('a') ?? '',
  );
  expect([first, second]).toEqual(Array(2).fill(digest([[Date.parse(nine), 'soon', '\ud800']])));
  expect(saidOf(spoken(['a', '', ten, ''])).get('a')).toBe(digest([['', Date.parse(ten), '']]));
});

test('labels with equal rows differ by their names', () => {
  const rows = [[Date.parse(nine), Date.parse(ten), 'x']];
  const memory = spoken(['__proto__', nine, ten, 'x'], ['', nine, ten, 'x'], ['c', nine, ten, 'X']);
  expect([...saidOf(memory)]).toEqual([
    ['__proto__', digest(['__proto__', rows])],
    ['', digest(['', rows])],
    ['c', digest([[Date.parse(nine), Date.parse(ten), 'X']])],
  ]);
});

test('without words there are no digests', () => {
  expect(saidOf({ transcript: null }).size).toBe(0);
});
