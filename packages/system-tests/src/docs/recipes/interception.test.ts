import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import * as msw from 'msw';
import * as mswNode from 'msw/node';
import * as msw2 from 'msw-2';
import * as msw2Node from 'msw-2/node';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { root } from '../../repository.ts';
import { startTestApi } from './start-test-api.ts';

const baseUrl = 'https://api.example.com';
const address = `${baseUrl}/v1/memories`;
const later = { 'retry-after': '0' };

afterEach(() => {
  vi.unstubAllGlobals();
});

let intercepted: Headers[];
beforeEach(() => {
  intercepted = [];
});

const answer = ({ request }: { request: Request }) => {
  intercepted.push(request.headers);
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
  expect(intercepted.map((headers) => headers.get('authorization'))).toEqual(['Bearer mrk_test']);
});

test("after MSW is closed the same client reaches the network, where it names this package's version", async () => {
  const seen: Headers[] = [];
  const api = await startTestApi({ intercept: ({ headers }) => void seen.push(headers) });
  const client = new MemoryClient({ baseUrl: api.url, apiKey: api.keyOf() });
  const server = mswNode.setupServer(msw.http.get(`${api.url}/v1/memories`, () => msw.HttpResponse.json([])));
  server.listen();
  expect(await client.listMemories()).toEqual([]);
  server.close();
  expect(await client.listMemories()).toHaveLength(3);
  await api.close();
  const { version } = JSON.parse(readFileSync(join(root, 'packages', 'client', 'package.json'), 'utf8'));
  expect(seen.map((headers) => headers.get('user-agent'))).toEqual([`memory-read-client/${version}`]);
});

test('a fetch of the caller gets everything in one Request, and the global one is never touched', async () => {
  const globalFetch = vi.fn();
  vi.stubGlobal('fetch', globalFetch);
  const calls: unknown[][] = [];
  const client = new MemoryClient({
    baseUrl,
    apiKey: 'mrk_test',
    headers: { 'X-Team': 'blue' },
    fetch: (...parameters: unknown[]) => {
      calls.push(parameters);
      return Response.json(calls.length < 3 ? {} : [], { status: calls.length < 3 ? 503 : 200, headers: later });
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

test('the signal of the call ends the request that a fetch of the caller got', async () => {
  const aborting = new AbortController();
  const reason = new Error('The user went elsewhere.');
  const got = Promise.withResolvers<Request>();
  const client = new MemoryClient({
    baseUrl,
    apiKey: 'mrk_test',
    fetch: (request) => {
      got.resolve(request);
      return new Promise(() => {});
    },
  });
  const call = client.listMemories({ signal: aborting.signal });
  const request = await got.promise;
  expect(request.signal.aborted).toBe(false);
  aborting.abort(reason);
  await expect(call).rejects.toBe(reason);
  expect(request.signal).toMatchObject({ aborted: true, reason });
});
