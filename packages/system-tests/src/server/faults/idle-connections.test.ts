import { runCounts } from '../../run-counts.ts';
import { testIdleConnections } from './idle-connections.ts';

testIdleConnections(runCounts.idleConnections.short);
