import { test } from 'vitest';
import { runCounts } from '../../run-counts.ts';
import { fuzzServer } from './fuzz-server.ts';

test('whatever comes over the wire is answered in the dialect of the API, and never with a 5xx', async () => {
  await fuzzServer(runCounts.rawRequests.short);
});
