import { expect, test } from 'vitest';
import { amount, ratio } from './finding.ts';
import { acrossProcesses } from './row.ts';

test('of each process, the median of a finding counts, and the range is that of the processes', () => {
  const resultOf = (ours: number[], size: number) => ({
    findings: [ratio('A call', ours, [1, 1, 1], { atMost: 2 }), amount('A size', 'kB', size)],
    explanation: 'It is long.',
  });
  const { findings, explanation } = acrossProcesses([
    resultOf([1, 1.04, 9], 7),
    resultOf([1.7, 1.6, 0], 7),
    resultOf([2.2, 2.21, 2.2], 7),
  ]);
  expect(findings).toEqual([
    {
      what: 'A call',
      unit: '×',
      goal: { atMost: 2 },
      value: { lower: 1.32, median: 1.6, upper: expect.closeTo(1.9) },
    },
    { what: 'A size', unit: 'kB', goal: undefined, value: { lower: 7, median: 7, upper: 7 } },
  ]);
  expect(explanation).toBe('It is long.');
});
