import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createMemories } from '@memory-read/fixtures';
import { apiKeyAuthenticator, createApiKey, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { root } from '../repository.ts';
import { exampleFolder } from './examples.ts';

const records = createMemories({ count: 12, seed: 7, now: '2026-01-01T00:00:00Z' })
  .filter(({ transcript, summary }) => transcript && summary)
  .slice(0, 3)
  .map((record, index) => ({ ...record, id: `mem_${3 - index}` }));
const oldest = records[2];
const spoken = oldest?.transcript?.segments.map(({ speaker, text }) => `${speaker}: ${text}`) ?? [];

/** What each example prints: whoever adds a file says here what is to come of it. */
const output: Record<string, (string | RegExp)[]> = {
  'client.ts': [
    ...records.map(({ started_at, id, name }) => `${started_at} ${id} ${name}`),
    oldest?.summary?.quick_summary ?? 'a summary',
    ...spoken,
    '3',
    /^req_\w+$/,
    'undefined',
    'listMemories ended with attempt 1',
  ],
  'client-errors.ts': [
    'The key is not accepted (invalid_key).',
    'Failed to get a memory: because its id is empty. Pass an id as the list of memories returns it.',
  ],
  'contract.ts': [oldest?.name ?? 'a name', '["/v1/memories","/v1/memories/{memory_id}"]'],
  'fixtures.ts': ['0', '20 audio/wav'],
  'server.ts': [/^Listening on http:\/\/127\.0\.0\.1:\d+ for mrk_…$/],
  'server-media.ts': [/^\d{5}$/, /^206 bytes 0-43\/\d{5}$/],
  'server-parts.ts': [
    '{"userId":"user_1"}',
    '200 3',
    /^The API is at http:\/\/127\.0\.0\.1:\d+\/v1$/,
    /^2025-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    'undefined',
  ],
  'server-s3.ts': ['https://example-media.s3.eu-central-1.amazonaws.com/mem_1/audio.wav'],
  'server-sqlite.ts': [/^mem_\w+$/, /^mem_\w+$/, /^mem_\w+$/],
};

const printed: string[] = [];

beforeEach(async () => {
  const { key, fetch } = await createApi();
  vi.stubEnv('MEMORY_API_KEY', key);
  vi.stubEnv('MEDIA_SECRET', 'thirty-two-bytes-that-none-guess');
  vi.stubGlobal('fetch', fetch);
  vi.spyOn(console, 'log').mockImplementation(
    (...values: unknown[]) => void printed.push(values.map(toText).join(' ')),
  );
});

afterEach(() => {
  printed.length = 0;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test.each(examples())('the example %s runs and prints what it should', async (name) => {
  await import(`./examples/${name.replace('.ts', '')}.ts`);
  const expected = (output[name] ?? ['an entry in this test']).map((line) =>
    typeof line === 'string' ? line : expect.stringMatching(line),
  );
  expect(printed).toEqual(expected);
});

function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The test files among them run as all other tests do. */
function examples(): string[] {
  return readdirSync(join(root, exampleFolder)).filter((name) => !name.endsWith('.test.ts'));
}

/** An API with a key, and the `fetch` that finds it at `https://api.example.com`. */
async function createApi(): Promise<{ key: string; fetch: typeof fetch }> {
  const store = createInMemoryStore();
  const { key, keyId, keyHash } = createApiKey();
  await store.putAccount({ userId: 'user_1' });
  await store.putMemories('user_1', records);
  await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
  const mediaSigner = { sign: () => 'https://media.example.com/signed' };
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  return {
    key,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { hostname } = new URL(request.url);
      if (hostname === 'api.example.com') return api.fetch(request);
      throw new TypeError(`An example asks ${hostname}, which is no part of it.`);
    },
  };
}
