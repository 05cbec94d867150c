import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@memory-read/server/node';
import { afterAll, expect, test } from 'vitest';
import { root } from '../../repository.ts';
import { exampleFolder } from '../examples.ts';
import { runRecipe } from './run-recipe.ts';

const guide = readFileSync(join(root, 'docs/guides/waiting-and-watching.md'), 'utf8');
const [, name = '', code = ''] = /Save this program as `(.+?)`:\n\n```ts\n(.+?)```/s.exec(guide) ?? [];
const folder = mkdtempSync(join(tmpdir(), 'memory-read-'));
// A package.json without `type`, as `npm install` writes it: Node warns about a .ts file there.
writeFileSync(join(folder, 'package.json'), '{}');
writeFileSync(join(folder, name), code);
symlinkSync(join(root, exampleFolder, 'node_modules'), join(folder, 'node_modules'));
afterAll(() => rmSync(folder, { recursive: true }));

const runJob = (baseUrl: string, apiKey: string) =>
  runRecipe([join(folder, name)], {
    MEMORY_API_URL: baseUrl,
    MEMORY_API_KEY: apiKey,
    MEMORY_FOLDER: join(folder, 'memories'),
  });

async function runAgainst(response: () => Response) {
  const server = await serve({ fetch: async () => response(), port: 0 });
  try {
    return await runJob(server.url, 'mrk_test');
  } finally {
    await server.close();
  }
}

test('the scheduled job prints nothing if there are no memories', async () => {
  expect(await runAgainst(() => Response.json([]))).toEqual({ status: 0, output: '' });
});

test('the scheduled job prints one line and ends with 1 if the server rejects the key', async () => {
  const { status, output } = await runAgainst(() => Response.json({ detail: 'Invalid API key' }, { status: 401 }));
  expect(output).toMatch(/^Failed to list memories: the server answered 401.*\n$/);
  expect(status).toBe(1);
});

test('the scheduled job prints one line and ends with 1 if the API key is missing', async () => {
  const { status, output } = await runJob('http://127.0.0.1:9', '');
  expect(output).toMatch(/^Failed to create the client: the API key is missing\..*\n$/);
  expect(status).toBe(1);
});
