import { expect, test } from 'vitest';
import { MemoryClient } from '../memory-client.ts';
import { memoriesQuery, memoryQuery, memoryReadKeys } from './memory-query.ts';

const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'mrk_1' });

test.each<[string, (scope: string) => unknown]>([
  ['memoriesQuery', (scope) => memoriesQuery(client, { scope })],
  ['memoryQuery', (scope) => memoryQuery(client, 'mem_1', { scope })],
  ['memoryReadKeys', memoryReadKeys],
])('%s refuses an API key as its scope, and does not repeat it', (_name, build) => {
  expect(() => build('key mrk_SECRET')).toThrow(
    expect.objectContaining({
      code: 'configuration',
      option: 'scope',
      message: 'Failed to build the query: scope contains an API key. Pass a name of the account.',
    }),
  );
  expect(build('ada')).toBeDefined();
});

test.each<[unknown, string]>([
  ['', 'is empty'],
  [null, 'is of type null'],
  [7, 'is 7'],
])('the scope %j %s', (scope, problem) => {
  expect(() => memoriesQuery(client, { scope: scope as string })).toThrow(
    `Failed to build the query: scope ${problem}. Pass a name of the account.`,
  );
});
