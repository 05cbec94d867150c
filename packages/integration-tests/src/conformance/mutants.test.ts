import { conformanceRules } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { allMutants, mutants } from './mutants/all-mutants.ts';
import { decisionMutants } from './mutants/decision-mutants.ts';
import { rulesThat, runOver } from './run-over.ts';

test.each(mutants)('where $name, exactly these rules fail: $red', async ({ change, red }) => {
  const report = await runOver(change);
  expect(rulesThat(report, 'failed')).toEqual([...red].sort());
  expect(report.passed).toBe(false);
});

test.each(decisionMutants)(
  'where $name, the rules of the specification pass, and these decisions fail: $red',
  async ({ change, red }) => {
    expect(rulesThat(await runOver(change, 'reference'), 'failed')).toEqual([...red].sort());
  },
);

test('each rule fails for at least one server', () => {
  const provable = new Set(allMutants.flatMap(({ red }) => red));
  expect(conformanceRules.map(({ id }) => id).filter((id) => !provable.has(id))).toEqual([]);
});

test('all mutants have different names', () => {
  const names = allMutants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  // The guide states this number.
  expect(mutants.length).toBeGreaterThan(100);
});
