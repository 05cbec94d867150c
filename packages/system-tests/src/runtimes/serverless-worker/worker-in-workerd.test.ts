import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startMockServer } from '@memory-read/msw/server';
import { freePort } from '@memory-read/test-kit/free-port';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { commandsOf, launchCommand, runCommand } from '../../docs/readme-commands.ts';
import { createRandomBytes } from '../../media/random-bytes.ts';
import { findRuntime } from '../find-runtime.ts';
import { startWorker } from '../start-worker.ts';

const folder = join(root, 'examples', 'serverless-worker');
const { path: workerd } = findRuntime('workerd');
const testHere = test.runIf(workerd);
const token = 'TOKENSECRET_0123456789';
const bytes = createRandomBytes(3_000_000, 1);
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

const api = await startMockServer({ memories: [] });
let size: string;
let worker: Awaited<ReturnType<typeof startExample>>;

beforeAll(async () => {
  if (workerd === undefined) return;
  size = execFileSync(process.execPath, ['build.ts'], { cwd: folder, encoding: 'utf8' });
  worker = await startExample(api.apiKey);
});
beforeEach(() => {
  api.reset();
  const summary = { quick_summary: 'A greeting.', key_takeaways: [] };
  api.memories.add({ id: 'mem_1', name: 'Stand-up', started_at: yesterday, summary, media: { audio: bytes } });
  api.memories.add({ name: 'Long ago', started_at: '2026-01-01T10:00:00Z' });
});
afterAll(async () => {
  await worker?.stop();
  await api.close();
});

testHere('the bundle is small, and its build says how small', () => {
  console.log(size);
  const [, compressed] = /^dist\/worker\.mjs: [\d.]+ kB, ([\d.]+) kB compressed\n$/.exec(size) ?? [];
  expect(Number(compressed)).toBeLessThan(36);
});

testHere('in workerd, audio arrives while the storage is still sending it, until the visitor leaves', async () => {
  api.faults.next({ stop: { bytes: 1_000_000 }, by: 'stall' }, onMedia);
  const leaving = new AbortController();
  const { body } = await ask('/audio?id=mem_1', { signal: leaving.signal });
  const { value } = (await body?.getReader().read()) ?? {};
  expect(value?.length).toBeGreaterThan(0);
  expect(bytes.subarray(0, value?.length)).toEqual(Buffer.from(value ?? []));
  await expect.poll(media).toMatchObject([{ ended: null }]);
  leaving.abort();
  await expect.poll(media).toMatchObject([{ ended: 'aborted' }]);
});

testHere('in workerd, audio that breaks off or expires is whole all the same', async () => {
  api.faults.next({ stop: { bytes: 500_000 }, by: 'reset' }, { ...onMedia, times: 2 });
  api.faults.next({ status: 403 }, onMedia);
  const response = await ask('/audio?id=mem_1');
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  expect(media()).toHaveLength(4);
});

testHere('the commands that the README of the example shows serve a digest', async () => {
  const port = await freePort();
  const [start, ask] = commandsOf('serverless-worker', { url: api.baseUrl, apiKey: api.apiKey, port: ['8789', port] });
  await using _worker = await launchCommand(`${start} --socket-addr=http=127.0.0.1:${port}`, /kB compressed/);
  const digest = await runCommand(`${ask} --silent --retry 50 --retry-delay 1 --retry-connrefused`);
  expect(digest).toContain('The last seven days: 1 memory\n\nStand-up (');
  expect(digest).toContain('  A greeting.');
});

testHere('in workerd, neither the key nor the query of a signed URL is answered or printed', async () => {
  const other = await startExample('KEYSECRET_of_another');
  const refused = await fetch(`${other.url}/digest`, { headers: { authorization: `Bearer ${token}` } });
  expect([refused.status, await refused.json()]).toEqual([502, { detail: 'The memories cannot be read' }]);
  api.faults.always({ status: 403 }, onMedia);
  const unreadable = await ask('/audio?id=mem_1');
  const printed = [
    JSON.stringify([...unreadable.headers]),
    await unreadable.text(),
    await other.stop(),
    await worker.stop(),
  ].join('\n');
  expect(unreadable.status).toBe(502);
  expect(printed).toContain('authentication Failed to list memories');
  expect(printed).toContain('media_download Failed to download the audio');
  expect(printed).not.toMatch(/SECRET|signature=/);
  expect(printed).not.toContain(api.apiKey);
});

const onMedia = { match: { operation: 'media' } } as const;
const media = () => api.requests.filter(({ to }) => to === 'media');

function startExample(key: string) {
  return startWorker(workerd ?? '', folder, { MEMORY_API_URL: api.baseUrl, MEMORY_API_KEY: key, ACCESS_TOKEN: token });
}

function ask(path: string, options: RequestInit = {}): Promise<Response> {
  return fetch(`${worker.url}${path}`, { ...options, headers: { authorization: `Bearer ${token}` } });
}
