import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ListedMemory } from '@memory-read/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { spawnServe } from '../testing/spawn-cli.ts';
import { TestProcess } from '../testing/test-process.ts';
import { createRequestLog } from './create-request-log.ts';
import { exhaustionOf, openFilesWarning, watchOpenFiles } from './open-files.ts';

const hasLimits = process.platform !== 'win32';
const outOfFiles =
  'Failed to open a file or a connection: this process has opened as many files as it may (EMFILE). Raise ulimit -n or LimitNOFILE, or lower --max-connections.';
const lowLimit =
  'This process can open 64 files, but 1000 connections need about 1200. Raise ulimit -n or LimitNOFILE, or lower --max-connections.';
const emfile = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });

test('warns of a limit below the connections and 200 other files', () => {
  expect(openFilesWarning(1_000, 1_199)).toBe(lowLimit.replace('64', '1199'));
  expect(openFilesWarning(1_000, 1_200)).toBeUndefined();
});

test('finds the reason in an error and its causes', () => {
  for (const error of [emfile, new Error('Failed', { cause: emfile })]) expect(exhaustionOf(error)).toBe(outOfFiles);
  const enfile = Object.assign(new Error('file table overflow'), { code: 'ENFILE' });
  expect(exhaustionOf(enfile)).toMatch(/: this machine has opened as many files as it may \(ENFILE\)\. Raise /);
  for (const other of [Object.assign(new Error(), { code: 'EACCES' }), new Error('EMFILE'), 'EMFILE', undefined]) {
    expect(exhaustionOf(other)).toBeUndefined();
  }
});

test('reports exhaustion once a minute while it lasts, and not afterwards', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reported: string[] = [];
  let error: unknown = emfile;
  const end = watchOpenFiles(
    (message) => reported.push(message),
    () => error,
  );
  vi.advanceTimersByTime(59_000);
  expect(reported).toEqual([outOfFiles]);
  vi.advanceTimersByTime(120_000);
  expect(reported).toHaveLength(3);
  error = undefined;
  vi.advanceTimersByTime(120_000);
  expect(reported).toHaveLength(3);
  end();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['a file', emfile],
  ['the pool', new Error('Failed to use the database: it did not respond. Try again.', { cause: emfile })],
])('a request that fails because %s cannot be opened has one line in each format', (_, error) => {
  const written = (['json', 'pretty', 'none'] as const).map((format) => {
    const lines: string[] = [];
    const writeLine = (line: string) => void lines.push(line);
    const log = createRequestLog({ process: new TestProcess(), format, writeLine, now: () => new Date(0) });
    log.onError(error, { requestId: 'req_1', operation: 'getMemory' });
    return lines.join('\n');
  });
  const text = `Failed to answer request req_1 (getMemory): ${outOfFiles}`;
  expect(written.slice(1)).toEqual([`00:00:00.000 ${text}`, text]);
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ event: 'failure', requestId: 'req_1', error: outOfFiles });
});

test.runIf(hasLimits).each(['json', 'pretty', 'none'])(
  'with 64 files and 200 idle connections, the log says so in two lines as %s',
  async (log) => {
    const server = await spawnServe(['--in-memory', '--log', log], { openFiles: 64 });
    holdConnections(server.baseUrl, 200);
    await vi.waitFor(() => expect(server.printed()).toContain(outOfFiles));
    server.child.kill();
    const lines = (await server.result).stderr.trimEnd().split('\n');
    const ofServer = lines.filter((line) => !/"event":"(started|stopping)"/.test(line));
    const texts = ofServer.map((line) => (log === 'pretty' ? line.replace(time, '') : line));
    if (log !== 'json') return expect(texts).toEqual([lowLimit, outOfFiles]);
    expect(ofServer.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', event: 'low-file-limit', message: lowLimit },
      { level: 'error', event: 'out-of-files', message: outOfFiles },
    ]);
  },
);

test.runIf(hasLimits)('a media file that cannot be opened is explained in one line, without a stack', async () => {
  const folder = temporaryDirectory();
  const args = ['--demo', '--db', join(folder, 'a.sqlite'), '--media-dir', join(folder, 'media'), '--log', 'pretty'];
  const server = await spawnServe(args, { openFiles: 80, cwd: folder });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const listed = await text(await ask(`${server.baseUrl}/v1/memories`, agent, { 'x-api-key': server.apiKey }));
  const [url = ''] = (JSON.parse(listed) as ListedMemory[]).flatMap(({ audio_url }) => audio_url ?? []);
  const path = join(folder, new URL(url).pathname);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'a recording of the user');
  holdConnections(server.baseUrl, 200);
  await vi.waitFor(() => expect(server.printed()).toContain(outOfFiles));
  const answer = await ask(url, agent);
  await text(answer).catch(() => {});
  await vi.waitFor(() => expect(server.printed()).toMatch(/ Failed to answer request req_\S+ \(media\): /));
  server.child.kill();
  const lines = (await server.result).stderr.trimEnd().split('\n');
  const failures = lines.map((line) => line.replace(time, '')).filter((line) => line.startsWith('Failed to answer'));
  expect(failures).toEqual([
    expect.stringMatching(/^Failed to answer request req_\S+ \(media\): Failed to open a file/),
  ]);
  expect(failures[0]).toContain(outOfFiles);
  expect(lines.filter((line) => /^\s+at /.test(line))).toEqual([]);
});

/** The beginning of a line of `pretty`. */
const time = /^\d\d:\d\d:\d\d\.\d{3} /;

/** Opens connections that send nothing. They end with the test. */
function holdConnections(baseUrl: string, count: number): void {
  const port = Number(new URL(baseUrl).port);
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
}

function ask(url: string, agent: Agent, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, resolve).on('error', reject);
  });
}
