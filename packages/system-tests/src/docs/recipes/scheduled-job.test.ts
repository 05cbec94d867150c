import { mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder } from '@memory-read/integration-tests/docs/examples';
import { serve } from '@memory-read/server/node';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterAll, expect, test } from 'vitest';
import { runRecipe } from './run-recipe.ts';

const guide = readFileSync(join(root, 'docs/guides/scheduled-jobs.md'), 'utf8');
const [, name = '', code = ''] = /Save this program as `(.+?)`:\n\n```ts\n(.+?)```/s.exec(guide) ?? [];
const folder = makeFolder(afterAll);
// A package.json without `type`, as `npm install` writes it: Node warns about a .ts file there.
writeFileSync(join(folder, 'package.json'), '{}');
writeFileSync(join(folder, name), code);
symlinkSync(join(root, exampleFolder, 'node_modules'), join(folder, 'node_modules'));

const runJob = (MEMORY_API_URL: string, MEMORY_API_KEY: string, MEMORY_FOLDER: string) =>
  runRecipe([join(folder, name)], { MEMORY_API_URL, MEMORY_API_KEY, MEMORY_FOLDER });

/** Runs the job with the stored state against a server that answers with `response`. */
async function runAgainst(response: (path: string) => Response, stored?: string) {
  const memoryFolder = mkdtempSync(join(folder, 'memories-'));
  const stateFile = `${memoryFolder}.done.json`;
  if (stored !== undefined) writeFileSync(stateFile, stored);
  let requests = 0;
  const fetch = async ({ url }: Request) => {
    requests += 1;
    return response(new URL(url).pathname);
  };
  const server = await serve({ fetch, port: 0 });
  try {
    return { ...(await runJob(server.url, 'mrk_test', memoryFolder)), requests, stateFile };
  } finally {
    await server.close();
  }
}

const without = { audio_url: null, video_url: null, preview_image_url: null };
const ids = ['mem_1', 'mem_2', 'mem_3', 'mem_4', 'mem_5'];
const isList = (path: string) => path.endsWith('/memories');
const list = () => Response.json(ids.map((id) => sampleListedMemory({ ...without, id })));

test('the scheduled job prints nothing if there are no memories', async () => {
  expect(await runAgainst(() => Response.json([]))).toMatchObject({ status: 0, output: '' });
});

test('the scheduled job prints one line and ends with 1 if the server rejects the key', async () => {
  const { status, output } = await runAgainst(() => Response.json({ detail: 'Invalid API key' }, { status: 401 }));
  expect(output).toMatch(/^Failed to list memories: the server answered 401.*\n$/);
  expect(status).toBe(1);
});

test('the scheduled job prints one line and ends with 1 if the API key is missing', async () => {
  const { status, output } = await runJob('http://127.0.0.1:9', '', join(folder, 'memories'));
  expect(output).toMatch(/^Failed to create the client: the API key is missing\..*\n$/);
  expect(status).toBe(1);
});

test('the scheduled job handles the other memories and ends with 1 if a memory of the list is invalid', async () => {
  const listed = [
    sampleListedMemory({ ...without, id: 'mem_1', name: 7 }),
    sampleListedMemory({ ...without, id: 'mem_2' }),
  ];
  const { status, output, stateFile } = await runAgainst((path) =>
    Response.json(isList(path) ? listed : sampleMemory({ ...without, id: 'mem_2' })),
  );
  expect(output).toMatch(/^Stand-up: We met\.\nFailed to list memories: .* name of memory "mem_1" \(item 0\): .+\n$/);
  expect(JSON.parse(readFileSync(stateFile, 'utf8'))).toEqual({ userId: 'user_1', ids: ['mem_2'] });
  expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  expect(status).toBe(1);
});

test('the scheduled job handles the other memories if an id is too long for a file name', async () => {
  const long = 'x'.repeat(300);
  const { status, output, stateFile } = await runAgainst((path) => {
    const id = path.endsWith('mem_2') ? 'mem_2' : long;
    const listed = [long, 'mem_2'].map((each) => sampleListedMemory({ ...without, id: each }));
    return Response.json(isList(path) ? listed : sampleMemory({ ...without, id }));
  });
  expect(output).toContain('ENAMETOOLONG');
  expect(JSON.parse(readFileSync(stateFile, 'utf8'))).toMatchObject({ ids: ['mem_2'] });
  expect(status).toBe(1);
});

test('the scheduled job stops at once if the key is revoked during the run', async () => {
  const revoked = () => Response.json({ detail: 'Invalid API key' }, { status: 401 });
  const { status, output, requests } = await runAgainst((path) => (isList(path) ? list() : revoked()));
  expect(output).toMatch(/^Failed to get memory "mem_1": the server answered 401.*\n$/);
  expect([status, requests]).toEqual([1, 2]);
});

test('the scheduled job stops after three transient failures in a row', async () => {
  const broken = () => Response.json({ detail: 'Down' }, { status: 503, headers: { 'retry-after': '86400' } });
  const { status, output, requests } = await runAgainst((path) => (isList(path) ? list() : broken()));
  expect(output.match(/^.*Failed to get memory "mem_\d": the server answered 503/gm)).toHaveLength(3);
  expect([status, requests]).toEqual([1, 4]);
});

const noState = 'is not a state of this program. Delete it to handle all memories again';

test.each([
  ['{"userId":"us', noState],
  ['[]', noState],
  ['{"userId":"user_2","ids":[]}', 'belongs to another account. Choose another MEMORY_FOLDER'],
])('the scheduled job names its state file if it contains %s', async (stored, problem) => {
  const { status, output, stateFile } = await runAgainst(list, stored);
  expect(output).toBe(`Failed to use ${stateFile}: it ${problem}.\n`);
  expect(status).toBe(1);
  expect(readFileSync(stateFile, 'utf8')).toBe(stored);
});
