import { expect, test } from 'vitest';
import { type Problem, problems } from './problems.ts';

const rows: [string, Problem][] = Object.entries(problems);

test('the problems of the specification have the statuses and texts of section 7', () => {
  const specified = rows.filter(([, { section }]) => section !== null);
  expect(specified.map(([, { status, detail, section }]) => [section, status, detail])).toEqual([
    ['5.4', 401, 'Missing API key'],
    ['5.4', 401, 'Invalid API key'],
    ['4.2.2', 404, 'Memory not found'],
    ['7', 422, 'Malformed memory id'],
    ['7', 500, 'Internal server error'],
  ]);
});

test('a failed precondition is the 412 of HTTP, and no part of the specification', () => {
  expect(problems['precondition-failed']).toMatchObject({ status: 412, detail: 'Precondition Failed', section: null });
});

test('no other problem can be taken for a missing memory', () => {
  expect(rows.filter(([, { detail }]) => detail === problems['memory-not-found'].detail)).toHaveLength(1);
});

test('every problem is an error status, and says in a few words when it is sent', () => {
  for (const [name, { status, when }] of rows) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(when).toMatch(/^[a-z].*[^.]$/);
  }
});
