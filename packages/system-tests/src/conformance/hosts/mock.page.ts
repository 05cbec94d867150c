import { type ConformanceReport, runConformance } from '@memory-read/conformance';
import { startMemoryMock } from '@memory-read/msw/browser';
import { fillMock, mockOptions } from './fill-mock.ts';

const mock = await startMemoryMock({ baseUrl: '/api', ...mockOptions });
const keys = fillMock(mock);

/** In the page, through its service worker. */
async function checkMock(): Promise<ConformanceReport> {
  return runConformance({ baseUrl: mock.baseUrl, ...keys, media: true, profile: 'reference' });
}

// The test calls it.
Object.assign(globalThis, { checkMock });
