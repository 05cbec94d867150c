import { expect, test } from 'vitest';
import { exactly, type Finding } from '../measurement/row.ts';
import { formatGoal, formatNumber, formatSpread, formatValue, formatVerdict } from './format-finding.ts';

const finding: Finding = {
  what: 'A call',
  value: { lower: 1.1, median: 1.204, upper: 1.31 },
  unit: '×',
  goal: { atMost: 1.25 },
};

test('a finding shows its median, its spread, its goal and that it is met', () => {
  expect(formatValue(finding)).toBe('1.2 ×');
  expect(formatSpread(finding)).toBe('1.1 – 1.31');
  expect(formatGoal(finding)).toBe('≤ 1.25 ×');
  expect(formatVerdict(finding)).toBe('met');
});

test('a goal is missed by the median, whatever the spread', () => {
  expect(formatVerdict({ ...finding, goal: { atMost: 1.2 } })).toBe('**missed**');
  expect(formatVerdict({ ...finding, goal: { atLeast: 1.3 } })).toBe('**missed**');
});

test('shows by how much a goal is exceeded', () => {
  expect(formatVerdict({ ...finding, goal: { atMost: 12.04 } })).toBe('met, 10 times over');
  expect(formatVerdict({ ...finding, goal: { atLeast: 0.602 } })).toBe('met, 2 times over');
});

test('what does not grow at all is met, without a margin', () => {
  expect(formatVerdict({ ...finding, value: exactly(0), goal: { atMost: 64 } })).toBe('met');
  expect(formatVerdict({ ...finding, value: exactly(-1), goal: { atMost: 64 } })).toBe('met');
});

test('an exact number has no spread, and one without a goal no verdict', () => {
  expect(formatSpread({ ...finding, value: exactly(4) })).toBe('');
  expect(formatVerdict({ what: '', unit: '', value: exactly(4) })).toBe('');
  expect(formatGoal({ what: '', unit: '', value: exactly(4) })).toBe('');
});

test('numbers keep three digits, and large ones no fraction', () => {
  expect([0.012_345, 9.876_54, 99.94, 12_345.6].map(formatNumber)).toEqual(['0.0123', '9.88', '99.9', '12,346']);
});
