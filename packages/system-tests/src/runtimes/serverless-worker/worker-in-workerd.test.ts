import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '@memory-read/test-kit/free-port';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { commandsOf, launchCommand, runCommand } from '../../docs/readme-commands.ts';
import { createRandomBytes } from '../../media/random-bytes.ts';
import { type MediaApi, startMediaApi } from '../../media/start-media-api.ts';
import { type Storage, startStorage } from '../../media/start-storage.ts';
import { findRuntime } from '../find-runtime.ts';
import { startWorker } from '../start-worker.ts';

const folder = join(root, 'examples', 'serverless-worker');
const { path: workerd } = findRuntime('workerd');
const testHere = test.runIf(workerd);
const token = 'TOKENSECRET_0123456789';
const bytes = createRandomBytes(3_000_000, 1);
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

let size: string;
let storage: Storage;
let api: MediaApi;
let worker: Awaited<ReturnType<typeof startExample>>;

beforeAll(async () => {
  if (workerd === undefined) return;
  size = execFileSync(process.execPath, ['build.ts'], { cwd: folder, encoding: 'utf8' });
  storage = await startStorage({ bytes, etag: '"1"' });
  const records = [
    { name: 'Stand-up', started_at: yesterday },
    { id: 'mem_2', name: 'Long ago' },
  ];
  api = await startMediaApi({ sign: () => storage.sign() }, records);
  worker = await startExample(api.key);
});
beforeEach(() => {
  if (storage) storage.plan = () => ({});
});
afterAll(async () => {
  await worker?.stop();
  await api?.[Symbol.asyncDispose]();
  await storage?.[Symbol.asyncDispose]();
});

testHere('the bundle is small, and its build says how small', () => {
  console.log(size);
  const [, compressed] = /^dist\/worker\.mjs: [\d.]+ kB, ([\d.]+) kB compressed\n$/.exec(size) ?? [];
  expect(Number(compressed)).toBeLessThan(36);
});

testHere('in workerd, audio arrives while the storage is still sending it, until the visitor leaves', async () => {
  storage.plan = () => ({ stallAfter: 1_000_000 });
  const leaving = new AbortController();
  const { body } = await ask('/audio?id=mem_1', { signal: leaving.signal });
  const { value } = (await body?.getReader().read()) ?? {};
  expect(value?.length).toBeGreaterThan(0);
  expect(bytes.subarray(0, value?.length)).toEqual(Buffer.from(value ?? []));
  expect(storage.traffic.open).toBe(1);
  leaving.abort();
  await expect.poll(() => storage.traffic.open).toBe(0);
});

testHere('in workerd, audio that breaks off or expires is whole all the same', async () => {
  let requests = 0;
  storage.plan = () => {
    requests += 1;
    if (requests === 2) storage.expire();
    return requests < 3 ? { cutAfter: 500_000 } : {};
  };
  const response = await ask('/audio?id=mem_1');
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  expect(requests).toBeGreaterThan(2);
});

testHere('the commands that the README of the example shows serve a digest', async () => {
  const port = await freePort();
  const [start, ask] = commandsOf('serverless-worker', { url: api.url, apiKey: api.key, port: ['8789', port] });
  await using _worker = await launchCommand(`${start} --socket-addr=http=127.0.0.1:${port}`, /kB compressed/);
  const digest = await runCommand(`${ask} --silent --retry 50 --retry-delay 1 --retry-connrefused`);
  expect(digest).toContain('The last seven days: 1 memory\n\nStand-up (');
  expect(digest).toContain('  A greeting.');
});

testHere('in workerd, neither the key nor the query of a signed URL is answered or printed', async () => {
  const other = await startExample('KEYSECRET_of_another');
  const refused = await fetch(`${other.url}/digest`, { headers: { authorization: `Bearer ${token}` } });
  expect([refused.status, await refused.json()]).toEqual([502, { detail: 'The memories cannot be read' }]);
  storage.plan = () => ({ status: 403 });
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
  expect(printed).not.toContain(api.key);
});

function startExample(key: string) {
  return startWorker(workerd ?? '', folder, { MEMORY_API_URL: api.url, MEMORY_API_KEY: key, ACCESS_TOKEN: token });
}

function ask(path: string, options: RequestInit = {}): Promise<Response> {
  return fetch(`${worker.url}${path}`, { ...options, headers: { authorization: `Bearer ${token}` } });
}
