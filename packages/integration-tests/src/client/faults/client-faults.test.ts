import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { MemoryClient } from '@memory-read/client';
import { beforeAll, expect, test, vi } from 'vitest';
import { faults } from './catalogue/catalogue.ts';
import { useCatalogue } from './played-catalogue.ts';
import { runFault } from './run-fault.ts';

const quick = faults.filter(({ isHeavy }) => !isHeavy);
const played = useCatalogue();

beforeAll(() => {
  // Backoffs are random. With this value, they are as short as possible.
  vi.spyOn(Math, 'random').mockReturnValue(0.001);
  const trustedBefore = getCACertificates('default');
  setDefaultCACertificates([...trustedBefore, ...played().trusted]);
  return () => setDefaultCACertificates(trustedBefore);
});

test.concurrent.for(quick.map((fault) => [fault.name, fault] as const))(
  'where %s',
  async ([name, fault], { expect }) => {
    const outcome = await runFault(fault, played().addressOf(name), (options) => new MemoryClient(options));
    expect(outcome.violations).toEqual([]);
    expect(inspect(outcome.error, { depth: 10, showHidden: true })).not.toMatch(/SECRET|Request \{/);
    await vi.waitFor(async () => {
      const { requests, held } = await played().observe(fault);
      expect(requests.length).toBeLessThanOrEqual(outcome.attempts);
      expect(requests.filter(({ to }) => to !== 'api')).toEqual([]);
      // The fetch of Node does not cancel a connection that is being opened. It ends after ten seconds.
      if (fault.place?.scheme !== 'https') expect(held).toBe(0);
    });
  },
);

test('no two faults have one name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});
