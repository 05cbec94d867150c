import { runCounts } from '@memory-read/test-kit/run-counts';
import { test } from 'vitest';
import { fuzzServer } from './fuzz-server.ts';

test(`${runCounts.rawRequests.full} requests of all kinds over the wire, and the server is what it was before`, async () => {
  await fuzzServer(runCounts.rawRequests.full);
}, 600_000);
