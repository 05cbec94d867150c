import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createMemories } from '@memory-read/fixtures';
import { createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { afterAll, beforeAll, expect, test } from 'vitest';

const apiKey = 'KEYSECRET_0123456789';
const records = createMemories({ count: 12, seed: 7, now: '2026-01-01T00:00:00Z' });
const record = records.find(({ transcript }) => (transcript?.segments.length ?? 0) > 0) ?? records[0];
const program = ['--conditions=@memory-read/source', join(import.meta.dirname, 'main.ts')];

let api: RunningServer;
/** Also the home folder of other tools, so that they write nothing elsewhere. */
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assistant-'));
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'user_1' });
  await store.putMemories('user_1', records);
  const authenticate = async (key: string) => (key === apiKey ? { userId: 'user_1' } : undefined);
  const mediaSigner = { sign: () => 'https://media.example/a.wav?signature=URLSECRET' };
  api = await serve({ fetch: createMemoryApi({ store, authenticate, mediaSigner }).fetch, port: 0 });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

test('the official inspector lists the tools and accepts their schemas', async () => {
  const { tools } = JSON.parse(await inspect('--method', 'tools/list', '--strict'));
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['list_memories', 'get_memory', 'get_transcript']);
});

test('the official inspector calls each tool, and receives neither the key nor a signed URL', async () => {
  const list = await callTool('list_memories');
  expect(list).toContain(record?.id);
  const memory = await callTool('get_memory', `memory_id=${record?.id}`);
  expect(memory).toContain(JSON.stringify(record?.summary?.quick_summary.slice(0, 20)).slice(1, -1));
  const transcript = await callTool('get_transcript', `memory_id=${record?.id}`);
  expect(transcript).toContain(record?.transcript?.segments[0]?.text);
  expect(list + memory + transcript).not.toMatch(/SECRET|signature=/);
});

test('over HTTP, passes the scenarios of the protocol’s conformance suite that need no tools of their own', async () => {
  const { url, stop } = await startHttp();
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
    const { stdout } = await run('conformance', 'server', '--url', url, '--scenario', scenario);
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
  }
  await stop();
});

test('over HTTP, responds only to calls, and to none from a page of another origin', async () => {
  const { url, stop } = await startHttp();
  const statuses = await Promise.all([
    fetch(url),
    fetch(url.replace('/mcp', '/'), { method: 'POST' }),
    fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } }),
    fetch(url, { method: 'POST', headers: { origin: 'null' } }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([405, 404, 403, 403]);
  const [response] = await once(get(url, { headers: { host: 'evil.example' } }), 'response');
  expect(response.resume().statusCode).toBe(403);
  // A server that listens on every address of the machine would answer here.
  const elsewhere = await fetch(url.replace('127.0.0.1', '127.0.0.2')).catch(() => undefined);
  await stop();
  expect(elsewhere).toBeUndefined();
});

test('without a key, prints an error to standard error and ends', async () => {
  const { code, stdout, stderr } = await run(process.execPath, ...program);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe('Failed to create the client: the base URL is missing. Pass baseUrl or set MEMORY_API_URL.\n');
});

function callTool(name: string, ...args: string[]): Promise<string> {
  return inspect('--method', 'tools/call', '--tool-name', name, ...args.flatMap((arg) => ['--tool-arg', arg]));
}

async function inspect(...options: string[]): Promise<string> {
  const environment = ['-e', `MEMORY_API_URL=${api.url}`, '-e', `MEMORY_API_KEY=${apiKey}`];
  const command = ['--cli', process.execPath, ...program, ...options, ...environment];
  const { code, stdout, stderr } = await run('inspector', ...command);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function startHttp(): Promise<{ url: string; stop(): Promise<void> }> {
  const env = { MEMORY_API_URL: api.url, MEMORY_API_KEY: apiKey };
  const child = spawn(process.execPath, [...program, '--http', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const url = line.replace('The tools are at ', '');
  return {
    url,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function run(name: string, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const file = name.startsWith('/') ? name : join(import.meta.dirname, 'node_modules/.bin', name);
  const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' };
  return new Promise((resolve) =>
    execFile(file, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}
