import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMemories } from '@memory-read/fixtures';
import { createInMemoryStore } from '@memory-read/server';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { root } from '@memory-read/test-kit/repository';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import { afterAll, expect, test } from 'vitest';
import { commandsOf, launchCommand, runCommand } from './readme-commands.ts';

const folder = makeFolder(afterAll);
const records = createMemories({ count: 12, seed: 7, now: '2026-01-01T00:00:00Z' })
  .filter(({ is_processing }) => !is_processing)
  .map((record) => ({ ...record, media: {} }));
const store = createInMemoryStore();
const { key: apiKey } = await addAccount(store, 'user_1', records);
const api = await serveMemories(store);
afterAll(() => api.close());

test('the example of the README lists the memories and prints a transcript', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@memory-read/source', 'read-memories.ts'],
    {
      cwd: join(root, 'examples', 'read-memories'),
      env: { ...process.env, MEMORY_API_URL: api.url, MEMORY_API_KEY: apiKey },
    },
  );
  for (const { id, name } of records) expect(stdout).toContain(`${id} ${name}`);
  const spoken = records.map(({ transcript }) => transcript?.segments[0]?.text);
  expect(spoken.some((text) => text && stdout.includes(text))).toBe(true);
});

test('the commands in the README of archive-to-markdown archive the memories', async () => {
  const [archive] = commandsOf('archive-to-markdown', { url: api.url, apiKey });
  const place = join(folder, 'archive');
  expect(await runCommand(`${archive} ${place}`)).toContain(`pages written: ${records.length}, in ${place}`);
  expect(readdirSync(join(place, 'pages'))).toHaveLength(records.length);
});

test('the commands in the README of assistant-tools list the memories', async () => {
  const port = ['8790', await freePort()] as const;
  const [start = '', ask = ''] = commandsOf('assistant-tools', { url: api.url, apiKey, port });
  await using _tools = await launchCommand(start, /The tools are at/);
  // Without this variable, the inspector creates a folder in the home folder.
  expect(await runCommand(`MCP_STORAGE_DIR=${folder} ${ask}`)).toContain(records[0]?.id);
});
