import { test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { answerBesideIdleConnections } from './idle-connections.ts';

test(`${runCounts.idleConnections.full} connections that say nothing keep nobody else waiting`, async () => {
  await answerBesideIdleConnections(runCounts.idleConnections.full);
});
