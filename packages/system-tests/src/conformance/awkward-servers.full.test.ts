import { checkAwkwardServers } from '@memory-read/integration-tests/conformance/awkward-servers';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { test } from 'vitest';

test('whatever many servers return, a run ends with a report that contains no key', { timeout: 600_000 }, () =>
  checkAwkwardServers(runCounts.awkwardServers.full),
);
