import {
  ConfigurationError,
  isMemoryApiError,
  MemoryApiError,
  MemoryClient,
  type MemoryClientOptions,
  responseInfo,
} from '@memory-read/client';
import {
  apiKeyAuthenticator,
  createApiKey,
  createHmacMediaSigner,
  createInMemoryStore,
  createMemoryApi,
} from '@memory-read/server';
import { sampleList } from '../sample-list.ts';
import type { Client } from './driver-input.ts';
import { findLeaks } from './find-leaks.ts';

const [sample] = sampleList;

/** What a first hour with the client and the server touches, as data to compare. */
export async function runSmoke(secondCopy: Client): Promise<Record<string, unknown>> {
  return {
    ...(await readOwnServer()),
    ...(await validate()),
    ...(await useSecondCopy(secondCopy)),
    ...useBadKey(),
    environment: describeEnvironment(),
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
  const { id, name, started_at, ended_at, is_processing, duration_seconds, summary } =
    sample as (typeof sampleList)[number];
  const segment = { speaker: 'Speaker 1', start_at: started_at, end_at: ended_at, text: 'Good morning.' };
  const record = {
    name,
    started_at,
    ended_at,
    is_processing,
    duration_seconds,
    summary,
    transcript: { segments: [segment] },
  };
  const media = { audio: { object_key: 'a.wav', content_type: 'audio/wav' } };
  await store.putMemories(
    'user_1',
    ['mem_1', id].map((memoryId) => ({ id: memoryId, ...record, media })),
  );
  const mediaSigner = createHmacMediaSigner({
    baseUrl: 'https://media.example.com',
    secrets: [{ id: 'one', secret: 'a secret of this test' }],
  });
  return { api: createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner }), key };
}

async function validate(): Promise<Record<string, unknown>> {
  const drift: unknown[] = [];
  const client = createStubbed(
    { ...sample, name: 7, started_at: 'today', new_field: true },
    {
      hooks: { onDrift: ({ issues }) => drift.push(issues.map(({ kind, path }) => `${kind} ${path.join('.')}`)) },
    },
  );
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
  const error: unknown = await client.getMemory('mem_1').catch((reason: unknown) => reason);
  return {
    otherCopy: [isMemoryApiError(error), error instanceof MemoryApiError, (error as Error).name],
    ownOfOtherCopy: secondCopy.isMemoryApiError(new ConfigurationError('x')),
  };
}

function useBadKey(): Record<string, unknown> {
  const error = failureOf(() => new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'KEYSECRET\nX: 1' }));
  return { badKey: String(error), badKeyLeaks: findLeaks(error, ['KEYSECRET']) };
}

/** Neither base URL nor key is given, so that both come from the environment, where there is one. */
function describeEnvironment(): unknown {
  const error = failureOf(() => new MemoryClient());
  return error === undefined ? JSON.parse(JSON.stringify(new MemoryClient())) : String(error);
}

function createStubbed(body: unknown, options: MemoryClientOptions): MemoryClient {
  const fetch = async () => Response.json(body);
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'key', fetch, ...options });
}

function failureOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function failureIn(promise: Promise<unknown>): Promise<unknown> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isMemoryApiError(error) ? [error.name, error.code] : String(error);
}
