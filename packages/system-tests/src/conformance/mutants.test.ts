import { type ConformanceReport, conformanceRules, type Profile, runConformance } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { accessMutants } from './mutants/access-mutants.ts';
import { decisionMutants } from './mutants/decision-mutants.ts';
import { endpointMutants } from './mutants/endpoint-mutants.ts';
import { resourceMutants } from './mutants/resource-mutants.ts';
import type { Change } from './raw-server/change.ts';
import { runKeys } from './raw-server/run-keys.ts';
import { startRawServer } from './raw-server/start-raw-server.ts';

const mutants = [...resourceMutants, ...endpointMutants, ...accessMutants];

test.each(mutants)('where $name, exactly these rules are red: $red', async ({ change, red }) => {
  const report = await runOver(change, 'specification');
  expect(redOf(report)).toEqual([...red].sort());
  expect(report.passed).toBe(false);
});

test.each(decisionMutants)(
  'where $name, the specification is kept, and red is what was decided: $red',
  async ({ change, red }) => {
    const report = await runOver(change, 'reference');
    expect(redOf(report)).toEqual([...red].sort());
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

async function runOver(change: Change, profile: Profile): Promise<ConformanceReport> {
  const server = await startRawServer(change);
  try {
    return await runConformance({ baseUrl: server.url, ...runKeys, media: true, profile });
  } finally {
    await server.close();
  }
}

function redOf({ results }: ConformanceReport): string[] {
  return results
    .filter(({ status }) => status === 'failed')
    .map(({ rule }) => rule)
    .sort();
}
