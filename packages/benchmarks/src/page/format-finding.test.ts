import { expect, test } from 'vitest';
import { amount, type Goal } from '../measurement/finding.ts';
import { formatFinding, formatNumber } from './format-finding.ts';

const rounds = [1.1, 1.204, 1.31];

test.each<[string, number | number[], Goal | undefined, string[]]>([
  ['is met, with the spread', rounds, { atMost: 1.25 }, ['1.2 × (1.15 – 1.26)', '≤ 1.25 ×: met']],
  ['is missed by the median', rounds, { atMost: 1.2 }, ['1.2 × (1.15 – 1.26)', '≤ 1.2 ×: **missed**']],
  ['has a lower bound', 1.2, { atLeast: 1.3 }, ['1.2 ×', '≥ 1.3 ×: **missed**']],
  ['is met from above', 1.204, { atLeast: 0.602 }, ['1.2 ×', '≥ 0.602 ×: met']],
  ['is missing', 4, undefined, ['4 ×', '']],
])('a goal %s', (_case, measured, goal, cells) => {
  expect(formatFinding(amount('A call', '×', measured, goal))).toEqual(cells);
});

test('numbers keep three digits, and large ones no fraction', () => {
  expect([0.012_345, 9.876_54, 99.94, 12_345.6].map(formatNumber)).toEqual(['0.0123', '9.88', '99.9', '12,346']);
});
