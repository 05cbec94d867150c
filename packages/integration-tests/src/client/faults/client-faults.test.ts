import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { MemoryClient } from '@memory-read/client';
import { beforeAll, expect, test, vi } from 'vitest';
import { faults } from './catalogue/catalogue.ts';
import type { Fault } from './fault.ts';
import { useFaultServer } from './fault-server/spawn-fault-server.ts';
import { type FaultOutcome, runFault } from './run-fault.ts';

const quick = faults.filter(({ isHeavy }) => !isHeavy);
const outcomes: FaultOutcome[] = [];
const server = useFaultServer();

beforeAll(() => {
  // Backoffs are random. With this value, they are as short as possible.
  vi.spyOn(Math, 'random').mockReturnValue(0.001);
  const trustedBefore = getCACertificates('default');
  setDefaultCACertificates([...trustedBefore, ...server().trusted]);
  return () => setDefaultCACertificates(trustedBefore);
});

test.concurrent.for(quick.map((fault) => [fault.name, fault] as const))(
  'where %s',
  async ([name, fault], { expect }) => {
    const outcome = await runFault(fault, server().addressOf(name), (options) => new MemoryClient(options));
    outcomes.push(outcome);
    expect(outcome.violations).toEqual([]);
    expect(inspect(outcome.error, { depth: 10, showHidden: true })).not.toContain('SECRET');
  },
);

test('sends at most one request per attempt, and closes its connections', async () => {
  await vi.waitFor(async () => {
    const seen = await server().observe();
    const held = quick.filter((fault) => !stallsTls(fault) && (seen.faults[fault.name]?.playing ?? 0) > 0);
    expect(held.map(({ name }) => name)).toEqual([]);
  });
  const seen = await server().observe();
  const surplus = outcomes.filter(({ name, attempts }) => (seen.faults[name]?.requests ?? 0) > attempts);
  expect(surplus).toEqual([]);
});

test('sends no request to the target of a redirect', async () => {
  expect((await server().observe()).strays).toBe(0);
});

test('no two faults have one name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

/** The fetch of Node does not cancel a connection that is being opened. It ends after ten seconds. */
function stallsTls({ place, onConnect }: Fault): boolean {
  return place?.scheme === 'https' && onConnect?.[0] === 'stall';
}
