import { runCounts } from '@memory-read/test-kit/run-counts';
import { test } from 'vitest';
import { fuzzServer } from './fuzz-server.ts';

test('whatever comes over the wire is answered in the dialect of the API, and never with a 5xx', async () => {
  await fuzzServer(runCounts.rawRequests.short);
});
