import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { rejection } from './testing/rejection.ts';
import { json, stubClient } from './testing/stub-fetch.ts';

const createClient = (id = 'mem_1') => stubClient(json(sampleMemory({ id })));

test.each([
  ['', 'is empty'],
  ['.', 'which a URL cannot contain'],
  ['..', 'which a URL cannot contain'],
  ['\ud800', 'is not well-formed Unicode'],
  ['a\udc00b', 'is not well-formed Unicode'],
  ['x'.repeat(1025), 'longer than 1024 code points'],
  ['😀'.repeat(1025), 'longer than 1024 code points'],
  [undefined, 'is undefined, which is not a string'],
  [7, 'is 7, which is not a string'],
])('rejects the id %j before any request', async (id, problem) => {
  const { client, requests } = createClient();
  const error = await rejection(client.getMemory(id as string));
  expect(error).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining(problem) });
  expect(requests).toHaveLength(0);
});

test.each([
  ['...', '...'],
  ['%2E%2E', '%252E%252E'],
  ['a/b', 'a%2Fb'],
  ['a\\b', 'a%5Cb'],
  ['?#', '%3F%23'],
  ['$&', '%24%26'],
  ['\n\t\0', '%0A%09%00'],
  [' ', '%20'],
  ['😀', '%F0%9F%98%80'],
  ['x'.repeat(1024), 'x'.repeat(1024)],
  ['😀'.repeat(1024), '%F0%9F%98%80'.repeat(1024)],
])('the id %j is one segment of the path', async (id, segment) => {
  const { client, requests } = createClient(id);
  await client.getMemory(id);
  expect(requests[0]?.url).toBe(`https://api.example.com/v1/memories/${segment}`);
});

test.each([
  ['mem_2', 'mem_1', 'invalid_response'],
  ['mem_2', '', undefined],
  ['MEM_1', 'mem_1', undefined],
])('a memory %j in response to %j, as of a proxy that mixes up responses', async (id, requested, code) => {
  const { client } = createClient(id);
  const call = client.getMemory(requested || id);
  const outcome = await call.then(
    () => undefined,
    (error) => error,
  );
  expect(outcome?.code).toBe(code);
  if (code !== undefined) {
    expect(outcome).toMatchObject({ reason: 'structure', issues: [{ kind: 'other_id', path: ['id'] }] });
    await expect(client.mediaUrl('mem_1', 'audio')).rejects.toMatchObject({ code });
    await expect(client.waitForMemory('mem_1')).rejects.toMatchObject({ code });
  }
});
