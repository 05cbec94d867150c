import { MemoryClient } from '@memory-read/client';
import { edgeCases } from '@memory-read/fixtures';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startEdgeCaseServer } from './start-edge-case-server.ts';
import { startPrism, violationsIn } from './start-prism.ts';

const server = await startEdgeCaseServer();
const prism = await startPrism(server.url, { refuses: true });
const direct = new MemoryClient({ baseUrl: server.url, apiKey: server.apiKey });
const proxied = direct.withOptions({ baseUrl: prism.url, retries: 0, fetch: fetchAndNote });
const violations: string[] = [];
beforeEach(() => {
  violations.length = 0;
});
afterAll(async () => {
  await prism[Symbol.asyncDispose]();
  await server.close();
});

test('Prism finds nothing in a list of every edge case', async () => {
  const memories = await proxied.listMemories();
  expect(memories).toEqual(await direct.listMemories());
  expect(memories).toHaveLength(Object.keys(edgeCases).length);
  expect(violations).toEqual([]);
});

test.each(Object.entries(edgeCases))('Prism finds nothing in the edge case %s', async (_name, { id }) => {
  const memory = await proxied.getMemory(id);
  expect(memory).toEqual(await direct.getMemory(id));
  expect(violations).toEqual([]);
});

test('Prism finds nothing in the errors that the document knows', async () => {
  const stranger = proxied.withOptions({ apiKey: 'wrong-key' });
  const other = proxied.withOptions({ apiKey: server.otherApiKey, auth: 'x-api-key' });
  await expect(stranger.listMemories()).rejects.toMatchObject({ status: 401, reason: 'invalid_key' });
  await expect(stranger.getMemory('mem_1')).rejects.toMatchObject({ status: 401, reason: 'invalid_key' });
  await expect(proxied.getMemory('mem_1')).rejects.toMatchObject({ code: 'not_found', detail: 'Memory not found' });
  await expect(other.getMemory('mem_edge_silent')).rejects.toMatchObject({ code: 'not_found' });
  await expect(proxied.getMemory('a'.repeat(257))).rejects.toMatchObject({ code: 'invalid_request' });
  expect(violations).toEqual([]);
});

test('Prism finds nothing in waits and in a watch', async () => {
  const id = 'mem_edge_processing';
  const finish = () => void server.store.finishProcessing('ada', id, { transcript: { segments: [] }, summary: null });
  const changes: string[] = [];
  for await (const change of proxied.watchMemories({ interval: 1 })) {
    if (change.type === 'missing' || change.memory.id !== id) continue;
    changes.push(change.type);
    if (change.type === 'processed') break;
    const memory = await proxied.waitForMemory(id, { firstInterval: 1, onPoll: finish });
    expect(memory.transcript).toEqual({ segments: [] });
  }
  expect(changes).toEqual(['added', 'processed']);
  const outcomes: string[] = [];
  for await (const { status } of proxied.waitForMemories([id, 'mem_1'])) outcomes.push(status);
  expect(outcomes.sort()).toEqual(['not_found', 'processed']);
  expect(violations).toEqual([]);
});

test('finds with Prism only the missing key of a request, and no problem of the response', async () => {
  await using lenient = await startPrism(server.url, { refuses: false });
  const keyless = new MemoryClient({ baseUrl: lenient.url, auth: 'none', fetch: fetchAndNote });
  await expect(keyless.listMemories()).rejects.toMatchObject({ reason: 'missing_key' });
  await expect(keyless.getMemory('mem_1')).rejects.toMatchObject({ reason: 'missing_key' });
  expect(violations).toEqual(Array(2).fill('request: Invalid security scheme used'));
});

async function fetchAndNote(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  violations.push(...violationsIn(response.headers));
  return response;
}
