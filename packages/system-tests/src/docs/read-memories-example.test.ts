import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMemories } from '@memory-read/fixtures';
import { apiKeyAuthenticator, createApiKey, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { expect, test } from 'vitest';
import { root } from '../repository.ts';

test('the example of the README lists the memories and prints a transcript', async () => {
  const store = createInMemoryStore();
  const records = createMemories({ count: 12, seed: 7, now: '2026-01-01T00:00:00Z' });
  const { keyId, key, keyHash } = createApiKey();
  await store.putAccount({ userId: 'user_1' });
  await store.putMemories('user_1', records);
  await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
  const mediaSigner = {
    sign: ({ objectKey }: { objectKey: string }) => `https://media.example/${encodeURI(objectKey)}`,
  };
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  const server = await serve({ fetch: api.fetch, port: 0 });
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@memory-read/source', 'read-memories.ts'],
      {
        cwd: join(root, 'examples', 'read-memories'),
        env: { ...process.env, MEMORY_API_URL: server.url, MEMORY_API_KEY: key },
      },
    );
    const newest = records
      .filter(({ is_processing, transcript }) => !is_processing && transcript)
      .map(({ transcript }) => transcript?.segments[0]?.text);
    for (const { id, name } of records) expect(stdout).toContain(`${id} ${name}`);
    expect(newest.some((text) => text && stdout.includes(text))).toBe(true);
  } finally {
    await server.close();
  }
});
