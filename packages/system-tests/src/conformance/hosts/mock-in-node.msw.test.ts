import { runConformance } from '@memory-read/conformance';
import { fillMock } from '@memory-read/integration-tests/parity/hosts/world-of-mock';
import { accounts, gallery, runKeys } from '@memory-read/integration-tests/parity/world';
import { createMemoryMock } from '@memory-read/msw';
import { setupServer } from 'msw/node';
import manifest from 'msw/package.json' with { type: 'json' };
import { expect, onTestFinished, test } from 'vitest';
import { expectConformance } from './expect-conformance.ts';

// Two projects run this file, each with another major version of MSW.
const major = manifest.version.startsWith('2.') ? 2 : 3;

test(`the mock follows every rule and every decision in Node, with MSW ${major}`, async () => {
  const mock = createMemoryMock({ memories: accounts[gallery] });
  fillMock(mock);
  const server = setupServer(...mock.handlers);
  server.listen();
  onTestFinished(() => server.close());
  const { baseUrl } = mock;
  const report = await runConformance({ baseUrl, ...runKeys, media: true, profile: 'reference' });
  expect(mock.requests.length).toBeGreaterThan(40);
  expectConformance(`msw-${major}-node`, report);
});
