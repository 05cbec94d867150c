import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemories } from '@memory-read/fixtures';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { type ServedMemories, serveMemories } from '@memory-read/test-kit/serve-memories';
import { afterEach, beforeEach, expect, test } from 'vitest';

const audio = { object_key: 'talk.wav', content_type: 'audio/wav' };
const [one, two] = createMemories({ count: 9, seed: 7, now: '2026-01-01T00:00:00Z' })
  .filter(({ transcript }) => transcript)
  .map((record, index) => ({ ...record, name: index === 0 ? 'Talk' : 'Stroll', media: index === 0 ? { audio } : {} }));
if (one === undefined || two === undefined) throw new Error('The fixtures have no memories.');

const store = createInMemoryStore();
const requests: string[] = [];
let broken: string | undefined;
let api: ServedMemories;
let apiKey: string;
let folder: string;

beforeEach(async () => {
  ({ key: apiKey } = await addAccount(store, 'user_1', [one, two]));
  api = await serveMemories(store, {
    source: { open: async () => ({ size: 4, etag: '"a"', stream: () => new Blob(['RIFF']).stream() }) },
    around: (request, answer) => {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      return pathname === broken ? new Response(null, { status: 404 }) : answer();
    },
  });
  folder = join(mkdtempSync(join(tmpdir(), 'archive-')), 'memories');
});
afterEach(async () => {
  broken = undefined;
  await api.close();
  rmSync(join(folder, '..'), { recursive: true });
});

test('the first run writes a page and the media of each memory, the second one sends one request', async () => {
  const first = `Memories: 2, added: 2, changed: 0, pages written: 2, in ${folder}\n`;
  expect(await run()).toEqual({ code: 0, stdout: first, stderr: '' });
  const page = readFileSync(pageOf(one.name), 'utf8');
  const [, recording = ''] = /!\[Audio\]\((.+)\)/.exec(page) ?? [];
  expect(readFileSync(join(folder, 'pages', recording), 'utf8')).toBe('RIFF');
  expect(page).toContain('**Speaker');
  requests.length = 0;
  expect((await run()).stdout).toBe(`Memories: 2, added: 0, changed: 0, pages written: 0, in ${folder}\n`);
  expect(requests).toEqual(['/v1/memories']);
});

test('a page that its owner edited stays, and the new version is written beside it', async () => {
  await run();
  writeFileSync(pageOf(two.name), 'My notes');
  await store.putMemories('user_1', [{ ...two, name: 'Another name' }]);
  const { code, stderr } = await run();
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/ was edited\. The new version is .+ \(update 1\)\.md\.\n$/),
  ]);
  expect(readFileSync(pageOf(two.name), 'utf8')).toBe('My notes');
});

test('a memory that fails is left for the next run, and the others are written', async () => {
  broken = `/v1/memories/${two.id}`;
  const { code, stdout, stderr } = await run();
  expect([code, stdout]).toEqual([1, `Memories: 2, added: 1, changed: 0, pages written: 1, in ${folder}\n`]);
  expect(stderr).toMatch(new RegExp(`^${two.id} is left for the next run\\. Failed to get memory .+\n$`));
  broken = undefined;
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('added: 1') });
});

test('a refused key ends the job with one line, which does not hold it', async () => {
  const { code, stdout, stderr } = await run('KEYSECRET_of_another');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Failed to list memories: .+\n$/);
  expect(stderr).not.toContain('SECRET');
});

function pageOf(name: string): string {
  const page = readdirSync(join(folder, 'pages')).find((each) => each.includes(name) && !each.includes('(update'));
  return join(folder, 'pages', page ?? 'missing');
}

function run(key = apiKey): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const args = ['--conditions=@memory-read/source', 'main.ts', folder];
  const env = { PATH: process.env.PATH, MEMORY_API_URL: api.baseUrl, MEMORY_API_KEY: key };
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: import.meta.dirname, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}
