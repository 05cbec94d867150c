import { runCounts } from '@memory-read/test-kit/run-counts';
import { afterAll, expect, test } from 'vitest';
import { type NameOutcomes, nameOutcomes } from '../testing/name-outcomes.ts';
import { scenarios } from '../testing/processed-again.ts';

const outcomes: Record<string, NameOutcomes> = {};
afterAll(() => console.table(outcomes));

// The smallest share of names that must be certain, and the smallest one that a label alone would give to another person.
test.each([
  ['same audio, other noise', 90, 5],
  ['noisier', 70, 15],
  ['two voices merged', 30, 15],
  ['one voice split', 60, 8],
  ['moved by 20 s', 0, 0],
  ['random labels', 0, 40],
  ['labels permuted', 100, 90],
  ['texts corrected', 100, 90],
  ['small changes that add up', 40, 15],
])('%s: no name goes to a wrong person', (scenario, right, wrongByLabel) => {
  const outcome = nameOutcomes(scenario, runCounts.processedAgain.full);
  outcomes[scenario] = outcome;
  expect(outcome.wrong).toBe(0);
  expect(outcome.diluted).toBeLessThanOrEqual(0.5);
  expect(outcome.right).toBeGreaterThanOrEqual(right);
  expect(outcome.wrongByLabel).toBeGreaterThanOrEqual(wrongByLabel);
});

test('every scenario was played', () => {
  expect(Object.keys(outcomes)).toEqual(Object.keys(scenarios));
});
