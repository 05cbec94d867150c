// Runs the published test suites of the stores without a test runner, so that they run on any version of Node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInMemoryStore } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '@memory-read/server/testing';

async function createInMemory() {
  return toStoreHarness(createInMemoryStore());
}

async function createSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-'));
  const store = openSqliteStore({ path: join(folder, 'store.sqlite') });
  return toStoreHarness(store, async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
}

let passed = 0;
for (const create of [createInMemory, createSqlite]) {
  for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
    for (const { title, run } of cases(create)) {
      await run().catch((cause) => {
        throw new Error(`${create.name}: ${title}`, { cause });
      });
      passed += 1;
    }
  }
}
console.log(`${passed} cases passed`);
