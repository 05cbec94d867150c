import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import {
  type ApiKeyStore,
  apiKeyAuthenticator,
  createInMemoryStore,
  createMemoryApi,
  hashApiKey,
  type MemoryStoreAdmin,
} from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { apiKey, authorization, mediaSigner, userId } from './account.ts';
import { longRecord, memoryIdAt, smallRecords } from './small-records.ts';

/** An SQLite file with this many small memories; made once a run. */
export function smallStoreFile(folder: string, count: number): Promise<string> {
  return storeFile(join(folder, `small-${count}.sqlite`), () => smallRecords(count));
}

/** An SQLite file with one memory, whose transcript has this many segments; made once a run. */
export function longStoreFile(folder: string, segments: number): Promise<string> {
  return storeFile(join(folder, `long-${segments}.sqlite`), () => [longRecord(segments)]);
}

/** The bytes with which the reference server answers for one memory, as a file that other servers send. */
export function memoryAnswerFile(folder: string, record: MemoryRecord): Promise<string> {
  return answerFile(join(folder, 'memory.json'), [record], `/v1/memories/${memoryIdAt(0)}`);
}

/** The bytes with which the reference server answers for a list of small memories; made once a run. */
export async function listAnswerFile(folder: string, count: number): Promise<string> {
  const path = join(folder, `list-${count}.json`);
  return existsSync(path) ? path : answerFile(path, smallRecords(count), '/v1/memories');
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

async function answerFile(path: string, records: Iterable<MemoryRecord>, target: string): Promise<string> {
  const store = createInMemoryStore();
  await fillStore(store, records);
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  const response = await api.fetch(new Request(`http://127.0.0.1${target}`, { headers: { authorization } }));
  writeFileSync(path, await response.bytes());
  return path;
}
