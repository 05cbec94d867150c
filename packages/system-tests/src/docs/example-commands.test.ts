import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../server/serving/free-port.ts';
import { commandsOf, launchCommand, runCommand } from './readme-commands.ts';

const apiKey = 'mrk_0123456789';
let api: RunningServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'examples-'));
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'user_1' });
  await store.putMemories('user_1', [sampleRecord({ id: 'mem_1' }), sampleRecord({ id: 'mem_2' })]);
  const authenticate = async (key: string) => (key === apiKey ? { userId: 'user_1' } : undefined);
  const mediaSigner = { sign: () => 'https://media.example/a.wav' };
  api = await serve({ fetch: createMemoryApi({ store, authenticate, mediaSigner }).fetch, port: 0 });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

test('the commands that the README of archive-to-markdown shows archive the memories', async () => {
  const [archive] = commandsOf('archive-to-markdown', { url: api.url, apiKey });
  const place = join(folder, 'archive');
  expect(await runCommand(`${archive} ${place}`)).toContain(`2 memories are in ${place}`);
  expect(readdirSync(place)).toHaveLength(2);
});

test('the commands that the README of assistant-tools shows list the memories', async () => {
  const [start = '', ask = ''] = commandsOf('assistant-tools', {
    url: api.url,
    apiKey,
    port: ['8790', await freePort()],
  });
  await using _tools = await launchCommand(start, /The tools are at/);
  // Else the inspector makes itself a folder in the home.
  expect(await runCommand(`MCP_STORAGE_DIR=${folder} ${ask}`)).toContain('mem_1');
});
