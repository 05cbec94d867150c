import { MemoryClient } from '@memory-read/client';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import * as msw from 'msw';
import * as mswNode from 'msw/node';
import * as msw2 from 'msw-2';
import * as msw2Node from 'msw-2/node';
import { afterAll, expect, test } from 'vitest';

const store = createInMemoryStore();
const { key } = await addAccount(store, 'user_1', [sampleRecord()]);
const api = await serveMemories(store);
afterAll(() => api.close());

const address = `${api.url}/v1/memories`;
const intercepted: (string | null)[] = [];
const answer = ({ request }: { request: Request }) => {
  intercepted.push(request.headers.get('authorization'));
  return Response.json([]);
};

test.each([
  ['3', () => mswNode.setupServer(msw.http.get(address, answer))],
  ['2', () => msw2Node.setupServer(msw2.http.get(address, answer))],
])('MSW %s intercepts a client that was made before it, until it is closed', async (_version, setupServer) => {
  const client = new MemoryClient({ baseUrl: api.url, apiKey: key });
  const server = setupServer();
  server.listen();
  expect(await client.listMemories()).toEqual([]);
  server.close();
  expect(await client.listMemories()).toHaveLength(1);
  expect(intercepted.splice(0)).toEqual([`Bearer ${key}`]);
});
