import { createInMemoryStore } from '@memory-read/server';
import type { RunningServer } from '@memory-read/server/node';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { serveMemories } from '@memory-read/test-kit/serve-memories';

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
    const records = [1, 2, 3].map((number) => sampleRecord({ id: `${userId}-${number}` }));
    const { key } = await addAccount(store, userId, records);
    keys.set(userId, key);
  }
  const server = await serveMemories(store, { around: (request, answer) => intercept?.(request) ?? answer() });
  return { ...server, keyOf: (userId = userIds[0] ?? '') => keys.get(userId) ?? '' };
}
