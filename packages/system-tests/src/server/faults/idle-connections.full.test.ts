import { test } from 'vitest';
import { runCounts } from '../../run-counts.ts';
import { answerBesideIdleConnections, closeIdleConnections } from './idle-connections.ts';

test(`${runCounts.idleConnections.full} connections that say nothing keep nobody else waiting`, async () => {
  await answerBesideIdleConnections(runCounts.idleConnections.full);
});

test(`${runCounts.idleConnections.full} connections that say nothing are told that they are late, and closed`, async () => {
  await closeIdleConnections(runCounts.idleConnections.full);
});
