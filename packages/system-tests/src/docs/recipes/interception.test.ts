import { MemoryClient } from '@memory-read/client';
import * as msw from 'msw';
import * as mswNode from 'msw/node';
import * as msw2 from 'msw-2';
import * as msw2Node from 'msw-2/node';
import { expect, test, vi } from 'vitest';
import { startTestApi } from './start-test-api.ts';

const baseUrl = 'https://api.example.com';
const address = `${baseUrl}/v1/memories`;

const intercepted: (string | null)[] = [];
const answer = ({ request }: { request: Request }) => {
  intercepted.push(request.headers.get('authorization'));
  return Response.json([]);
};

test.each([
  ['3', () => mswNode.setupServer(msw.http.get(address, answer))],
  ['2', () => msw2Node.setupServer(msw2.http.get(address, answer))],
])('MSW %s intercepts a client that was made before it', async (_version, setupServer) => {
  const client = new MemoryClient({ baseUrl, apiKey: 'mrk_test' });
  const server = setupServer();
  server.listen();
  expect(await client.listMemories()).toEqual([]);
  server.close();
  expect(intercepted.splice(0)).toEqual(['Bearer mrk_test']);
});

test('after MSW is closed the same client reaches the network', async () => {
  const api = await startTestApi();
  const client = new MemoryClient({ baseUrl: api.url, apiKey: api.keyOf() });
  const server = mswNode.setupServer(msw.http.get(`${api.url}/v1/memories`, () => msw.HttpResponse.json([])));
  server.listen();
  expect(await client.listMemories()).toEqual([]);
  server.close();
  expect(await client.listMemories()).toHaveLength(3);
  await api.close();
});

test('a fetch of the caller gets everything in one Request, and the global one is never touched', async () => {
  const globalFetch = vi.spyOn(globalThis, 'fetch');
  const calls: unknown[][] = [];
  const client = new MemoryClient({
    baseUrl,
    apiKey: 'mrk_test',
    headers: { 'X-Team': 'blue' },
    fetch: (...parameters: unknown[]) => {
      calls.push(parameters);
      if (calls.length === 3) return Response.json([]);
      return Response.json({}, { status: 503, headers: { 'retry-after': '0' } });
    },
  });
  const { signal } = new AbortController();
  expect(await client.listMemories({ signal, headers: { 'X-Place': 'here' } })).toEqual([]);
  expect(calls.map((parameters) => parameters.length)).toEqual([1, 1, 1]);
  for (const [request] of calls) {
    expect(request).toBeInstanceOf(Request);
    expect(request).toMatchObject({ method: 'GET', url: address, redirect: 'manual' });
    expect(Object.fromEntries((request as Request).headers)).toEqual({
      accept: 'application/json',
      authorization: 'Bearer mrk_test',
      'user-agent': expect.stringMatching(/^memory-read-client\/\d+\.\d+\.\d+/),
      'x-place': 'here',
      'x-team': 'blue',
    });
  }
  expect(globalFetch).not.toHaveBeenCalled();
});
