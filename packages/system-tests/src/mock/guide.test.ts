import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guidePath, withMeasurements } from './guide.ts';
import { measureFaults } from './measure-faults.ts';

test('the guide tells of each fault what is seen of it now, on both majors of MSW, in Node and in a service worker', async () => {
  const guide = readFileSync(guidePath, 'utf8');
  const advice = 'Run node --conditions=@memory-read/source packages/system-tests/src/mock/write-guide.ts.';
  expect(withMeasurements(guide, await measureFaults()), advice).toBe(guide);
});
