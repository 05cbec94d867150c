import { expect, test } from 'vitest';
import { amount } from '../measurement/finding.ts';
import type { RowResult } from '../measurement/row.ts';
import { renderPage } from './render-page.ts';

const surroundings = { command: 'npm run bench', machine: 'Linux, 2 cores', versions: { Node: '26.0.0', ky: '2.1.0' } };
const explained = 'SQLite is read twice.';

function pageOf(result: RowResult): string {
  const row = { id: 'a-row', title: 'Server: a list', method: 'One reader.', measure: async () => result };
  return renderPage([{ row, result }], surroundings);
}

test('a missed goal is counted, linked at the top, and explained', () => {
  const page = pageOf({
    findings: [amount('The list', '×', 2, { atMost: 1 })],
    explanation: explained,
  });
  expect(page).toContain('Of 1 goals, 0 are met. Missed:');
  expect(page).toContain('- [Server: a list](#server-a-list): The list');
  expect(page).toContain('| The list | 2 × | ≤ 1 ×: **missed** |');
  expect(page).toContain(explained);
});

test('where all goals are met, nothing is explained', () => {
  const page = pageOf({
    findings: [amount('The list', '×', 2, { atMost: 2.5 })],
    explanation: explained,
  });
  expect(page).toContain('Of 1 goals, 1 are met.');
  expect(page).not.toContain(explained);
  expect(page).not.toContain('issed');
});

test('notes, machine and versions are on the page', () => {
  const page = pageOf({
    findings: [],
    notes: ['Half of it is the hash.'],
  });
  expect(page).toContain('Half of it is the hash.');
  expect(page).toContain('## Measured on\n\nLinux, 2 cores.\n\nNode 26.0.0, ky 2.1.0.');
});

test('only a row that is repeated says that its figures are those of processes', () => {
  const row = { id: 'a-row', title: 'A row', method: 'One.', measure: async () => ({ findings: [] }) };
  const pageWith = (isRepeated?: true) =>
    renderPage([{ row: { ...row, isRepeated }, result: { findings: [] } }], surroundings);
  expect(pageWith(true)).toContain('the medians of several processes');
  expect(pageWith()).not.toContain('the medians of several processes');
});
