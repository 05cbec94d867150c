import { runCounts } from '@memory-read/test-kit/run-counts';
import { testIdleConnections } from './idle-connections.ts';

testIdleConnections(runCounts.idleConnections.short);
