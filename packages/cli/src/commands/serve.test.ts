import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import type { ListedMemory, Memory } from '@memory-read/contract';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { listen } from '@memory-read/test-kit/listen';
import { expect, onTestFinished, test } from 'vitest';
import { startSilentPostgres } from '../testing/fake-postgres.ts';
import { jsonLines } from '../testing/json-lines.ts';
import { memoryLine } from '../testing/memory-lines.ts';
import {
  expectFailure,
  memoriesOf,
  type ReadyServe,
  type RunningServe,
  runCli,
  serveArguments,
  startCli,
  startServe,
  temporaryDirectory,
  untilReady,
} from '../testing/run-cli.ts';
import { spawnServe } from '../testing/spawn-cli.ts';
import { newDatabase, withStore } from '../testing/sqlite-file.ts';

test('a demo lists and reads memories with the key that it prints', async () => {
  const server = await startServe(demoIn(temporaryDirectory()));
  expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const memories = await memoriesOf(server);
  expect(memories).toHaveLength(24);
  const processed = memories.find(({ is_processing }) => !is_processing);
  const memory: Memory = await getJson(server, `/v1/memories/${processed?.id}`);
  expect(memory.transcript?.segments.length).toBeGreaterThan(0);
  expect(memories.filter(({ is_processing }) => is_processing)).toHaveLength(3);
  const showcase = showcaseMemories({ now: new Date() }).map(({ id }) => id);
  expect(memories.slice(0, 4).map(({ id }) => id)).toEqual([...showcase, server.processingMemoryId]);
  expect(memories[3]).toMatchObject({ is_processing: true });
});

test.each([
  ['a demo', ['serve', '--demo', '--port', '0']],
  ['a new server', ['serve', '--create', '--port', '0']],
  ['a new key', ['keys', 'create', '--account', 'ada']],
  ['an import', ['import', '-', '--account', 'ada']],
])('%s writes below one folder by default', async (_, args) => {
  const cwd = temporaryDirectory();
  const { process, interrupt, result } = startCli(args, { cwd });
  process.stdin.end(memoryLine());
  if (args[0] === 'serve') await once(process.stdout, 'text');
  interrupt('SIGTERM');
  await result;
  expect(readdirSync(cwd)).toEqual(['memory-read-data']);
});

test.each([
  ['from files', (directory: string) => demoIn(directory)],
  ['from memory', () => ['--demo', '--in-memory']],
])('media of a demo %s play by range, for pages of every origin', async (_, args) => {
  const directory = temporaryDirectory();
  const server = await startServe(args(directory), { cwd: directory });
  const urls = (await memoriesOf(server)).flatMap((each) => [each.audio_url, each.video_url, each.preview_image_url]);
  const ofFirst = urls.filter((candidate) => candidate !== null).slice(0, 12);
  for (const url of ofFirst) {
    expect(url.startsWith(`${server.baseUrl}/media/`)).toBe(true);
    const whole = await (await fetch(url)).bytes();
    const part = await fetch(url, { headers: { range: 'bytes=10-19', origin: 'https://example.com' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`);
    expect(part.headers.get('access-control-allow-origin')).toBe('*');
    expect(await part.bytes()).toEqual(whole.subarray(10, 20));
  }
  expect(ofFirst.map((url) => url.match(/\w+\.webm/)?.[0])).toContain('video.webm');
});

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)('ends at once on %s with %i while PostgreSQL does not respond', async (signal, code) => {
  const { href, connected } = await startSilentPostgres();
  const secrets = JSON.stringify([{ id: 'a', secret: 'a secret of enough bytes' }]);
  const args = [...serveArguments, '--media-secrets', 'env:SECRETS', '--postgres', href];
  const { interrupt, result } = startCli(args, { env: { SECRETS: secrets } });
  await connected;
  interrupt(signal);
  expect(await result).toEqual({ code, stdout: '', stderr: '' });
});

test.each([
  ['the default', [], 65],
  ['--keep-alive-timeout', ['--keep-alive-timeout', '11m'], 660],
])('an idle connection stays open for the time of %s', async (_, args, seconds) => {
  const server = await startServe(['--in-memory', ...args]);
  const { headers } = await fetch(`${server.baseUrl}/healthz`);
  expect(headers.get('keep-alive')).toBe(`timeout=${seconds}`);
});

test('a second demo keeps memories and media, and makes another key for 24 hours', async () => {
  const directory = temporaryDirectory();
  const startedAt = Date.now();
  const first = await startServe(demoIn(directory));
  const before = await memoriesOf(first);
  const { code, stdout, stderr } = await stop(first);
  expect([code, stderr, stdout.trimEnd().split('\n').length]).toEqual([0, '', 1]);
  const second = await startServe(demoIn(directory));
  const after = await memoriesOf(second);
  const startsOf = (memories: ListedMemory[]) => memories.map(({ id, started_at }) => [id, started_at]);
  expect(startsOf(after)).toEqual(startsOf(before));
  expect(second.apiKey).not.toBe(first.apiKey);
  expect((await request({ ...second, apiKey: first.apiKey }, '/v1/memories')).status).toBe(200);
  const listed = await runCli(['keys', 'list', '--db', join(directory, 'data', 'memories.sqlite')]);
  const keys = jsonLines(listed.stdout);
  expect(keys).toMatchObject(Array(2).fill({ status: 'active', userId: 'user_demo' }));
  const day = 24 * 3_600_000;
  for (const { expiresAt } of keys) {
    expect(Date.parse(String(expiresAt))).toBeGreaterThan(startedAt + day - 1);
    expect(Date.parse(String(expiresAt))).toBeLessThan(Date.now() + day + 1);
  }
});

test('a media URL survives a restart, because the secret is stored next to the database, readable only by its owner', async () => {
  const directory = temporaryDirectory();
  const first = await startServe(demoIn(directory));
  const [path = ''] = await mediaPaths(first);
  await stop(first);
  const second = await startServe(demoIn(directory));
  expect((await fetch(second.baseUrl + path)).status).toBe(200);
  expect(statSync(join(directory, 'data', 'memories.sqlite.media-secrets.json')).mode & 0o777).toBe(0o600);
});

test('signs media URLs with the secret from the environment variable', async () => {
  const secrets = JSON.stringify([{ id: 'summer', secret: 'a secret of enough bytes' }]);
  const args = ['--demo', '--in-memory', '--media-secrets', 'env:SECRETS'];
  const server = await startServe(args, { env: { SECRETS: secrets } });
  expect((await mediaPaths(server))[0]).toContain('&key=summer&');
});

test('fails on a port that is in use', async () => {
  const blocker = await listen(() => {});
  onTestFinished(() => blocker[Symbol.asyncDispose]());
  const { port } = new URL(blocker.url);
  const { code, stdout, stderr } = await runCli(['serve', '--in-memory', '--port', String(port)]);
  expect(stderr).toBe(
    `Failed to start the server: port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another port.\n`,
  );
  expect([code, stdout]).toEqual([1, '']);
});

test('a start that fails because of its port leaves the key of the running demo valid', async () => {
  const directory = temporaryDirectory();
  const running = await startServe(demoIn(directory));
  const port = new URL(running.baseUrl).port;
  expect((await runCli(['serve', ...demoIn(directory), '--port', port])).code).toBe(1);
  expect((await request(running, '/v1/memories')).status).toBe(200);
});

test('without --port, skips a port that is in use', async () => {
  const start = () => untilReady(startCli(['serve', '--in-memory']));
  const ports = (await Promise.all([start(), start()])).map(({ baseUrl }) => Number(new URL(baseUrl).port));
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(8787);
  expect(ports[0]).not.toBe(ports[1]);
});

test('behind a proxy, also prints the address that it listens on', async () => {
  const publicUrl = 'https://api.test';
  const server = await startServe(['--in-memory', '--public-url', publicUrl, '--log', 'json']);
  const { baseUrl, localUrl = '' } = server as RunningServe & { localUrl?: string };
  expect(baseUrl).toBe(publicUrl);
  expect((await request({ ...server, baseUrl: localUrl }, '/v1/memories')).status).toBe(200);
  const { stderr } = await stop(server);
  expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({ event: 'started', baseUrl, localUrl });
});

test('refuses an empty database file without --create, which a lost disk or a failed restore leaves', async () => {
  const directory = temporaryDirectory();
  const db = join(directory, 'memories.sqlite');
  writeFileSync(db, '');
  const { code, stderr } = await runCli(['serve', '--port', '0', '--db', db], { cwd: directory });
  expect([code, stderr]).toEqual([1, `Failed to open ${db}: it is empty. Restore a backup, or pass --create.\n`]);
  expect([readdirSync(directory), statSync(db).size]).toEqual([['memories.sqlite'], 0]);
  const keys = await runCli(['keys', 'list', '--db', db], { cwd: directory });
  expect([keys.code, keys.stderr]).toEqual([1, expect.stringContaining('it is empty. Restore a backup.')]);
  await stop(await startServe(['--create', '--db', db], { cwd: directory }));
});

test('fails without the database file, names --create and makes nothing', async () => {
  const directory = temporaryDirectory();
  const db = join(directory, 'memories.sqlite');
  for (const args of [['--db', db], []]) {
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0', ...args], { cwd: directory });
    const named = args.length > 0 ? db : './memory-read-data/memories.sqlite';
    expect(stderr).toBe(
      `Failed to open ${named}: there is no such file. Check --db, pass --create to make it, or --demo to try the server.\n`,
    );
    expect([code, stdout]).toEqual([1, '']);
  }
  expect(readdirSync(directory)).toEqual([]);
});

test('--create makes the database file, and opens an existing one', async () => {
  const directory = temporaryDirectory();
  const args = ['--create', '--db', join(directory, 'memories.sqlite')];
  await stop(await startServe(args, { cwd: directory }));
  const { apiKey } = JSON.parse((await runCli(['keys', 'create', '--account', 'ada', ...args.slice(1)])).stdout);
  const again = await startServe(args, { cwd: directory });
  expect(await getJson({ ...again, apiKey }, '/v1/memories')).toEqual([]);
});

test.each([
  ['the database of a newer version', /: its schema has version 9999, .* Update the software\.\n$/],
  ['a file that is not a database', /: it is not a SQLite database\. Choose another path\.\n$/],
])('fails on %s and does not change it', async (kind, reason) => {
  const db = newDatabase();
  if (kind.startsWith('a file')) writeFileSync(db, 'These are my notes, and no database at all. '.repeat(20));
  else {
    await withStore(db, async () => {});
    const database = new DatabaseSync(db);
    database.exec('PRAGMA user_version = 9999');
    database.close();
  }
  const before = readFileSync(db);
  await expectFailure(runCli(['serve', '--db', db, '--demo'], { cwd: dirname(db) }), 1, reason);
  expect(readFileSync(db).equals(before)).toBe(true);
});

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)(
  '%s to the process waits for a response in flight, also when it is sent twice',
  async (signal, exitCode) => {
    const { server, path, bytes } = await serveLargeMedia();
    const response = await getOnce(server.baseUrl + path);
    server.child.kill(signal);
    server.child.kill(signal);
    await connectionRefused(server.baseUrl);
    expect((await buffer(response)).length).toBe(bytes);
    expect(await server.result).toMatchObject({ code: exitCode, stderr: '' });
  },
);

test('a process continues when its output is no longer read', async () => {
  const server = await spawnServe(['--demo', '--in-memory']);
  server.child.stdout.destroy();
  server.child.stderr.destroy();
  server.child.stdin.destroy();
  expect((await request(server, '/v1/memories')).status).toBe(200);
});

function demoIn(directory: string): string[] {
  const data = join(directory, 'data');
  return ['--demo', '--db', join(data, 'memories.sqlite'), '--media-dir', join(data, 'media')];
}

function request({ baseUrl, apiKey }: Pick<ReadyServe, 'baseUrl' | 'apiKey'>, path: string): Promise<Response> {
  return fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
}

async function getJson<Body>(server: ReadyServe, path: string): Promise<Body> {
  const response = await request(server, path);
  expect(response.status).toBe(200);
  return response.json();
}

async function mediaPaths(server: ReadyServe): Promise<string[]> {
  return (await memoriesOf(server)).flatMap(({ audio_url }) => audio_url?.slice(server.baseUrl.length) ?? []);
}

function stop(server: RunningServe) {
  server.interrupt('SIGTERM');
  return server.result;
}

type SpawnedServe = Awaited<ReturnType<typeof spawnServe>>;

/** More than the sockets between server and client can buffer. */
async function serveLargeMedia(): Promise<{ server: SpawnedServe; path: string; bytes: number }> {
  const directory = temporaryDirectory();
  const bytes = 32 * 1024 * 1024;
  const [db, media] = [join(directory, 'memories.sqlite'), join(directory, 'media')];
  mkdirSync(media);
  writeFileSync(join(media, 'long.wav'), new Uint8Array(bytes));
  const reference = { object_key: 'long.wav', content_type: 'audio/wav' };
  const line = memoryLine({ media: { audio: reference } });
  await runCli(['import', '-', '--account', 'user_demo', '--db', db], { input: line });
  const server = await spawnServe(['--demo', '--db', db, '--media-dir', media]);
  return { server, path: (await mediaPaths(server)).find((path) => path.includes('long.wav')) ?? '', bytes };
}

/** Uses its own connection, which is not kept for another request. */
function getOnce(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { agent: false }, resolve).on('error', reject));
}

/** Resolves when the server no longer listens. */
async function connectionRefused(baseUrl: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(`${baseUrl}/healthz`)).body?.cancel();
    } catch {
      return;
    }
  }
}
