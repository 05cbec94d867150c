import { hashApiKey } from '@memory-read/server';
import { listAll } from '@memory-read/test-kit/memory-service';
import type { PostgresServer } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Cluster, openStore, startCluster } from './start-cluster.ts';
