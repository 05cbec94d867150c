import { conformanceRules } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { accessMutants } from './mutants/access-mutants.ts';
import { decisionMutants } from './mutants/decision-mutants.ts';
import { endpointMutants } from './mutants/endpoint-mutants.ts';
import { resourceMutants } from './mutants/resource-mutants.ts';
import { rulesThat, runOver } from './run-over.ts';

const mutants = [...resourceMutants, ...endpointMutants, ...accessMutants];

test.each(mutants)('where $name, exactly these rules are red: $red', async ({ change, red }) => {
  const report = await runOver(change);
  expect(rulesThat(report, 'failed')).toEqual([...red].sort());
  expect(report.passed).toBe(false);
});

test.each(decisionMutants)(
  'where $name, the specification is kept, and red is what was decided: $red',
  async ({ change, red }) => {
    expect(rulesThat(await runOver(change, 'reference'), 'failed')).toEqual([...red].sort());
  },
);

test('each rule goes red for a server', () => {
  const provable = new Set([...mutants, ...decisionMutants].flatMap(({ red }) => red));
  expect(conformanceRules.map(({ id }) => id).filter((id) => !provable.has(id))).toEqual([]);
});

test('no two mutants have one name', () => {
  const names = [...mutants, ...decisionMutants].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  // The guide says so.
  expect(mutants.length).toBeGreaterThan(100);
});
