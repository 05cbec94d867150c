import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { test } from 'vitest';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases } from '../../testing/index.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
  for (const { title, run } of cases(createHarness)) test(title, run);
}

async function createHarness() {
  const directory = mkdtempSync(join(tmpdir(), 'memory-read-sqlite-'));
  const store = openSqliteStore({ path: join(directory, 'store.sqlite') });
  return {
    store,
    async seed(userId: string, records: readonly MemoryRecord[]) {
      await store.putAccount({ userId });
      await store.putMemories(userId, records);
    },
    async close() {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}
