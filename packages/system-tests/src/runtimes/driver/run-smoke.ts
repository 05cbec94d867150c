import { ConfigurationError, isMemoryApiError, MemoryApiError, MemoryClient, responseInfo } from '@memory-read/client';
import {
  apiKeyAuthenticator,
  createApiKey,
  createHmacMediaSigner,
  createInMemoryStore,
  createMemoryApi,
} from '@memory-read/server';
import { apiKey, sampleMemory } from '../../client/faults/samples.ts';
import type { Client } from './driver-input.ts';
import { findLeaks } from './find-leaks.ts';

/** What a first hour with the client and the server touches, as data to compare. */
export async function runSmoke(secondCopy: Client): Promise<Record<string, unknown>> {
  return {
    ...(await readOwnServer()),
    ...(await validate()),
    ...(await useSecondCopy(secondCopy)),
    ...(await useBadKey()),
    environment: await describeEnvironment(),
  };
}

/** The server of this repository in the same process, behind the client's `fetch` option. */
async function readOwnServer(): Promise<Record<string, unknown>> {
  const { api, key } = await createServer();
  const options = { baseUrl: 'https://api.example.com', fetch: api.fetch };
  const client = new MemoryClient({ ...options, apiKey: key });
  const memories = await client.listMemories();
  const memory = await client.getMemory('mem_1', { signal: new AbortController().signal });
  const bare = await api.fetch(new Request('https://api.example.com/v1/memories', { headers: { 'x-api-key': key } }));
  const { status, attempts, requestId, receivedAt } = responseInfo(memories) ?? {};
  return {
    listed: memories.map(({ id }) => id),
    segments: memory.transcript?.segments.length,
    responseInfo: [status, attempts, typeof requestId, receivedAt instanceof Date],
    bare: [bare.status, ((await bare.json()) as unknown[]).length],
    withXApiKey: (await client.withOptions({ auth: 'x-api-key' }).listMemories()).length,
    missing: await failureIn(client.getMemory('mem_none')),
    wrongKey: await failureIn(client.withOptions({ apiKey: 'wrong' }).listMemories()),
    noId: await failureIn(client.getMemory('..')),
  };
}

async function createServer() {
  const store = createInMemoryStore();
  const { keyId, key, keyHash } = createApiKey();
  await store.putAccount({ userId: 'user_1' });
  await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
  const { user_id, audio_url, video_url, preview_image_url, ...fields } = sampleMemory();
  const { started_at: start_at, ended_at: end_at } = fields;
  const transcript = { segments: [{ speaker: 'Speaker 1', start_at, end_at, text: 'Good morning.' }] };
  const record = { ...fields, transcript, media: { audio: { object_key: 'a.wav', content_type: 'audio/wav' } } };
  await store.putMemories('user_1', [record, { ...record, id: 'mem_2' }]);
  const secrets = [{ id: 'one', secret: 'a secret of this test' }];
  const mediaSigner = createHmacMediaSigner({ baseUrl: 'https://media.example.com', secrets });
  return { api: createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner }), key };
}

async function validate(): Promise<Record<string, unknown>> {
  const drift: unknown[] = [];
  const client = new MemoryClient({
    baseUrl: 'https://api.example.com',
    apiKey,
    fetch: async () => Response.json(sampleMemory({ name: 7, started_at: 'today', new_field: true })),
    hooks: { onDrift: ({ issues }) => drift.push(issues.map(({ kind, path }) => `${kind} ${path.join('.')}`)) },
  });
  const read = async (validation: 'strict' | 'warn' | 'off') =>
    client.getMemory('mem_2', { validation }).then(
      ({ name }) => name,
      ({ code, reason }) => `${code} ${reason}`,
    );
  return { validation: [await read('strict'), await read('warn'), await read('off')], drift };
}

async function useSecondCopy(secondCopy: Client): Promise<Record<string, unknown>> {
  const client = new secondCopy.MemoryClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    fetch: async () => Response.json({ detail: 'Memory not found' }, { status: 404 }),
  });
  const error = await failureOf(() => client.getMemory('mem_1'));
  return {
    otherCopy: [isMemoryApiError(error), error instanceof MemoryApiError, (error as Error).name],
    ownOfOtherCopy: secondCopy.isMemoryApiError(new ConfigurationError('x')),
  };
}

async function useBadKey(): Promise<Record<string, unknown>> {
  const error = await failureOf(
    () => new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: `${apiKey}\nX: 1` }),
  );
  return { badKey: String(error), badKeyLeaks: findLeaks(error) };
}

/** Neither base URL nor key is given, so that both come from the environment, where there is one. */
async function describeEnvironment(): Promise<unknown> {
  const error = await failureOf(() => new MemoryClient());
  return error === undefined ? JSON.parse(JSON.stringify(new MemoryClient())) : String(error);
}

async function failureOf(act: () => unknown): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function failureIn(promise: Promise<unknown>): Promise<unknown> {
  const error = await failureOf(() => promise);
  return isMemoryApiError(error) ? [error.name, error.code] : String(error);
}
