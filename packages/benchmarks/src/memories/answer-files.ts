import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { apiKeyAuthenticator, createHmacMediaSigner, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { authorization } from './account.ts';
import { mediaSecrets } from './media-secrets.ts';
import { memoryIdAt } from './small-records.ts';
import { fillStore } from './store-file.ts';

/** The bytes with which the reference server answers for one memory, as a file that other servers send. */
export function memoryAnswerFile(folder: string, record: MemoryRecord): Promise<string> {
  return answerFile(join(folder, 'memory.json'), [record], `/v1/memories/${memoryIdAt(0)}`);
}

/** The bytes with which the reference server answers for a list. */
export function listAnswerFile(folder: string, records: Iterable<MemoryRecord>): Promise<string> {
  return answerFile(join(folder, 'list.json'), records, '/v1/memories');
}

async function answerFile(path: string, records: Iterable<MemoryRecord>, target: string): Promise<string> {
  const store = createInMemoryStore();
  await fillStore(store, records);
  const mediaSigner = createHmacMediaSigner({ baseUrl: 'http://127.0.0.1/media', secrets: mediaSecrets });
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  const response = await api.fetch(new Request(`http://127.0.0.1${target}`, { headers: { authorization } }));
  writeFileSync(path, await response.bytes());
  return path;
}
