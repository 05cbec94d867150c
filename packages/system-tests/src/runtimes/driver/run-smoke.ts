import { ConfigurationError, isMemoryApiError, MemoryApiError, MemoryClient } from '@memory-read/client';
// @ts-expect-error It is JavaScript, because projects of users run it too.
import { smoke } from '../../packages/consumers/smoke.mjs';
import type { Client } from './driver-input.ts';

/** Returns the results of typical calls of the client and the mock, as data to compare. */
export async function runSmoke(secondCopy: Client): Promise<Record<string, unknown>> {
  return { ...(await smoke()), ...(await useSecondCopy(secondCopy)), environment: await describeEnvironment() };
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

/** The base URL and the key come from the environment, if there is one. */
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
