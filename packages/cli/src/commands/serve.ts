import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { apiKeyAuthenticator, createApiKey, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import type { Command } from 'commander';
import { abortOnInterruption } from '../errors/interrupted-error.ts';
import { listen } from '../service/listen.ts';
import { openStorage } from '../storage/open-storage.ts';
import { addStorageOptions, type StorageOptions } from '../storage/storage-options.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { formatReadyBanner, formatReadyLine } from '../terminal/ready-message.ts';

export function addServeCommand(program: Command): void {
  const command = program.command('serve').description('Serve the API.');
  addStorageOptions(command)
    .option('--demo', 'serve a demo account, and print a new key for it')
    .option('--in-memory', 'keep nothing on disk')
    .option('--media-dir <directory>', 'where the media files lie')
    .action(runServe);
}

async function runServe(options: StorageOptions & { inMemory?: true }): Promise<void> {
  const interruption = abortOnInterruption();
  mkdirSync(dirname(options.db), { recursive: true });
  const store = options.inMemory ? { ...createInMemoryStore(), async close() {} } : openStorage(options);
  const { key, ...apiKey } = createApiKey();
  await store.putAccount({ userId: 'user_demo', name: 'Demo' });
  await store.putApiKey({ ...apiKey, userId: 'user_demo', keyId: 'key_demo' });
  const api = createMemoryApi({
    store,
    authenticate: apiKeyAuthenticator(store),
    mediaSigner: { sign: ({ objectKey }) => `http://127.0.0.1/media/${objectKey}` },
  });
  const server = await listen({ fetch: api.fetch, overrideGlobalObjects: true });
  const message = { baseUrl: server.url, apiKey: key, place: options.db };
  process.stdout.write(`${isForPeople() ? formatReadyBanner(message) : formatReadyLine(message)}\n`);
  interruption.addEventListener('abort', () => server.close().then(() => store.close()));
}
