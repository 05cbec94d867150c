import { type ConformanceReport, runConformance } from '@memory-read/conformance';
import { fillMock } from '@memory-read/integration-tests/parity/hosts/world-of-mock';
import { accounts, gallery, runKeys } from '@memory-read/integration-tests/parity/world';
import { startMemoryMock } from '@memory-read/msw/browser';

const mock = await startMemoryMock({ baseUrl: '/api', memories: accounts[gallery] });
fillMock(mock);

/** Runs in the page, through its service worker. */
async function checkMock(): Promise<ConformanceReport> {
  return runConformance({ baseUrl: mock.baseUrl, ...runKeys, media: true, profile: 'reference' });
}

// The test calls this function from outside the page.
Object.assign(globalThis, { checkMock });
