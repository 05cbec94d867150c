import { apiKeyAuthenticator, createApiKey, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { createRecord } from '../../server/postgres/test-records.ts';

/** The reference server on a port, whose accounts hold a few memories each. */
export interface TestApi extends RunningServer {
  /** The account's key, the first account's if none is named. */
  keyOf(userId?: string): string;
}

export interface TestApiOptions {
  userIds?: readonly string[];
  /** Answers in place of the API where it returns something. */
  intercept?: ((request: Request) => Response | Promise<Response> | undefined) | undefined;
}

/** Every account has the memories `{userId}-1` to `{userId}-3`. */
export async function startTestApi({ userIds = ['user_1'], intercept }: TestApiOptions = {}): Promise<TestApi> {
  const store = createInMemoryStore();
  const keys = new Map<string, string>();
  for (const userId of userIds) {
    const { key, keyId, keyHash } = createApiKey();
    await store.putAccount({ userId });
    await store.putMemories(
      userId,
      [1, 2, 3].map((number) => createRecord({ id: `${userId}-${number}` })),
    );
    await store.putApiKey({ keyId, keyHash, userId });
    keys.set(userId, key);
  }
  const mediaSigner = { sign: () => 'https://media.example.com/signed' };
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  const server = await serve({ fetch: (request) => intercept?.(request) ?? api.fetch(request), port: 0 });
  return { ...server, keyOf: (userId = userIds[0] ?? '') => keys.get(userId) ?? '' };
}
