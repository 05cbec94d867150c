import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { type ApiKeyStore, hashApiKey, type MemoryStoreAdmin } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { apiKey, userId } from './account.ts';
import { longRecord } from './long-record.ts';
import { smallRecords } from './small-records.ts';

/** An SQLite file with this many small memories; made once a run. */
export function smallStoreFile(folder: string, count: number): Promise<string> {
  return storeFile(join(folder, `small-${count}.sqlite`), () => smallRecords(count));
}

/** An SQLite file with one memory, whose transcript has this many segments; made once a run. */
export function longStoreFile(folder: string, segments: number): Promise<string> {
  return storeFile(join(folder, `long-${segments}.sqlite`), () => [longRecord(segments)]);
}

/** Puts the account, its key and the memories into any store. */
export async function fillStore(store: MemoryStoreAdmin & ApiKeyStore, records: Iterable<MemoryRecord>): Promise<void> {
  await store.putAccount({ userId });
  await store.putApiKey({ keyId: 'key_1', keyHash: hashApiKey(apiKey), userId });
  await store.putMemories(userId, records);
}

async function storeFile(path: string, records: () => Iterable<MemoryRecord>): Promise<string> {
  if (existsSync(path)) return path;
  const store = openSqliteStore({ path });
  await fillStore(store, records());
  await store.close();
  return path;
}
