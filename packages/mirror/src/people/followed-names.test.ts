import { runCounts } from '@memory-read/test-kit/run-counts';
import { describe, expect, test } from 'vitest';
import { nameOutcomes } from '../testing/name-outcomes.ts';
import { scenarios } from '../testing/processed-again.ts';

const memories = runCounts.processedAgain.short;

describe.each(Object.keys(scenarios))(`of ${memories} memories, %s`, (scenario) => {
  test('no name goes to a wrong person', () => {
    expect(nameOutcomes(scenario, memories).wrong).toBe(0);
  });
});
