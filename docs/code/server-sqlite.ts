import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemories } from '@memory-read/fixtures';
import { openSqliteStore } from '@memory-read/server/sqlite';

const directory = await mkdtemp(join(tmpdir(), 'memory-read-'));
const records = createMemories({ count: 3, seed: 7, now: '2026-01-01T00:00:00Z' });

// #region open-sqlite-store
const store = openSqliteStore({ path: join(directory, 'memories.sqlite') });
await store.putAccount({ userId: 'user_1' });
await store.putMemories('user_1', records);
await store.close();
// #endregion

const reopened = openSqliteStore({ path: join(directory, 'memories.sqlite') });
for await (const { id } of reopened.listMemories({ userId: 'user_1' })) console.log(id);
await reopened.close();
await rm(directory, { recursive: true });
