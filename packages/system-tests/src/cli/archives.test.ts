import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, expect, test } from 'vitest';
import { canMount, type Disk, runOnDisk } from '../server/faults/spent-disk.ts';
import { keptFiles, visibleFiles } from './archive-traces.ts';
import { jsonLines, runCommand, runInTerminal, startCommand } from './run-command.ts';
import { mediaOf, recordWithAudio, startMediaAccount } from './start-media-account.ts';

const ctrlC = '\x03';
let parent: string;
let folder: string;
beforeEach(() => {
  parent = makeFolder();
  folder = join(parent, 'memories');
});

const mediaIn = (path: string) => readdirSync(path).filter((name) => name.endsWith('.wav'));

test('Ctrl+C ends a download of all recordings, and the next run resumes it', async () => {
  const account = await startMediaAccount(3_000_000);
  await account.put(recordWithAudio(1), recordWithAudio(2), recordWithAudio(3));
  // The first recording arrives fast. The others are too slow to finish.
  account.onRequest = (path) => {
    const isFirst = account.requests.filter((each) => each.startsWith('/media/')).length < 2;
    account.pace = path.startsWith('/media/') && isFirst ? 10 : 1_000;
    return undefined;
  };
  const args = ['download', '--all', '--output', folder, '--concurrency', '1'];
  const command = runInTerminal(args, { env: { ...account.env, NO_COLOR: '1' } });
  await command.until('1 of 3 memories');
  command.type(ctrlC);
  expect(await command.ended).toBe(130);
  expect(command.shown()).toMatch(/█░+ +33 % {2}1 of 3 memories, [\d.]+ MB, [\d.]+ [kM]B\/s, \d+ (s|min) left/);
  expect(command.shown()).toMatch(/Interrupted by SIGINT\.\n$/);
  expect(mediaIn(folder)).toHaveLength(1);

  account.onRequest = () => undefined;
  account.pace = 0;
  account.requests.length = 0;
  const again = await runCommand(args, { env: account.env });
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(jsonLines(again.stdout).at(-1)).toEqual({
    event: 'downloaded',
    memories: 3,
    unchanged: 1,
    missing: 0,
    saved: 2,
    bytes: 6_000_000,
    kept: 0,
    failed: 0,
  });
  expect(account.requests.filter((path) => path.startsWith('/media/'))).toHaveLength(2);
  for (const { memoryId, path } of keptFiles(folder)) {
    expect(readFileSync(join(folder, path)).equals(mediaOf(memoryId, 3_000_000))).toBe(true);
  }
});

test('a second run in parallel ends with a message, but a run after a killed one does not', async () => {
  const account = await startMediaAccount(3_000_000);
  await account.put(recordWithAudio(1));
  account.pace = 1_000;
  const isLoading = new Promise<void>((resolve) => {
    account.onRequest = (path) => {
      if (path.startsWith('/media/')) resolve();
      return undefined;
    };
  });
  const first = startCommand(['download', '--all', '--output', folder], { env: account.env });
  await isLoading;
  const second = await runCommand(['download', '--all', '--output', folder], { env: account.env });
  expect(second).toEqual({
    code: 1,
    stdout: '',
    stderr: `Failed to use ${JSON.stringify(folder)}: another memory-read is using it. Wait until it has finished, then run the command again.\n`,
  });
  first.kill('SIGKILL');
  await once(first, 'exit');
  account.pace = 0;
  expect(await runCommand(['download', '--all', '--output', folder], { env: account.env })).toMatchObject({
    code: 0,
    stderr: '',
  });
});

test('saves each file completely, or names it as failed, whatever the storage returns', async () => {
  const size = 200_000;
  const account = await startMediaAccount(size);
  const numbers = Array.from({ length: 16 }, (_item, index) => index);
  await account.put(...numbers.map((number) => recordWithAudio(number)));
  const faults = [() => new Response('', { status: 503 }), () => new Response('x', { status: 451 }), cut, cut];
  let answers = 0;
  account.onMedia = (response) => {
    answers += 1;
    const fault = answers % 3 === 0 ? undefined : faults[Math.floor(Math.random() * faults.length)];
    return fault?.(response) ?? response;
  };
  const args = ['download', '--all', '--kind', 'audio', '--output', folder];
  const { code, stdout, stderr } = await runCommand(args, { env: account.env });
  const lines = jsonLines(stdout);
  const idsOf = (event: string) => lines.filter((line) => line.event === event).map(({ memoryId }) => memoryId);
  expect([...idsOf('saved'), ...idsOf('failed')].sort()).toEqual(numbers.map((number) => `mem_${number}`).sort());
  for (const id of idsOf('failed')) expect(stderr).toContain(`${id} (audio): Failed to `);
  expect(code).toBe(idsOf('failed').length > 0 ? 1 : 0);
  expect(mediaIn(folder)).toHaveLength(idsOf('saved').length);

  account.onMedia = (response) => response;
  expect(await runCommand(args, { env: account.env })).toMatchObject({ code: 0, stderr: '' });
  expect(keptFiles(folder)).toHaveLength(16);
  for (const { memoryId, path } of keptFiles(folder)) {
    expect(readFileSync(join(folder, path)).equals(mediaOf(memoryId, size))).toBe(true);
  }
});

/** The body is cut within the object. */
function cut(response: Response): Response {
  if (!response.body) return response;
  let left = 50_000 + Math.random() * 100_000;
  const breaking = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error('cut'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(breaking), response);
}

test.runIf(canMount).each<[string, Disk, string]>([
  ['download', 'small', 'the disk is full. Free some space, then run the command again to resume.'],
  ['download', 'full', 'the disk is full. Free some space, then run the command again to resume.'],
  ['download', 'read-only', 'the disk is read-only. Choose another folder.'],
])(
  '%s on a disk that is %s ends with 1 and one line, and the next run saves everything',
  async (command, disk, reason) => {
    const account = await startMediaAccount(200_000);
    await account.put(...[1, 2, 3, 4].map((number) => recordWithAudio(number)));
    mkdirSync(folder);
    const keyFile = join(parent, 'key');
    writeFileSync(keyFile, account.env.MEMORY_API_KEY ?? '', { mode: 0o600 });
    writeFileSync(join(folder, 'mine'), 'mine');
    const connection = ['--base-url', account.env.MEMORY_API_URL ?? '', '--api-key', `file:${keyFile}`];
    const { code, stderr } = await runOnDisk(disk, folder, {
      args: [command, '--all', '--output', '.', '--concurrency', '1', ...connection],
    });
    expect(stderr).toMatch(/^Failed to [^\n]*\n$/);
    expect(stderr).toContain(`: ${reason}\n`);
    expect(code).toBe(1);
    // The folder with the index of the interrupted run was on the disk, and is not copied back.
    rmSync(join(folder, 'memory-read.json'), { force: true });
    for (const name of visibleFiles(folder).filter((each) => each.endsWith('.wav'))) {
      expect(readFileSync(join(folder, name))).toHaveLength(200_000);
    }
    expect(await runCommand([command, '--all', '--output', folder], { env: account.env })).toMatchObject({ code: 0 });
    expect(keptFiles(folder)).toHaveLength(4);
  },
);

test('a folder that is not writable or not a folder ends with 1 and one line', async () => {
  const account = await startMediaAccount(1_000);
  await account.put(recordWithAudio(1));
  writeFileSync(folder, '');
  const deep = join(parent, ...Array.from({ length: 30 }, () => 'x'.repeat(200)));
  const cases: [string, RegExp][] = [
    [folder, /: it is not a folder\. Choose a folder\.\n$/],
    [join(folder, 'below'), /: it is not a folder\. Choose a folder\.\n$/],
    [deep, /: the path is too long\. Choose a folder with a shorter path\.\n$/],
    ['/proc/none', /: .*\n$/],
  ];
  for (const [path, reason] of cases) {
    const { code, stdout, stderr } = await runCommand(['download', '--all', '--output', path], { env: account.env });
    expect(stderr).toMatch(/^Failed to (?:use|write) "[^\n]*\n$/);
    expect(stderr).toMatch(reason);
    expect([code, stdout]).toEqual([1, '']);
  }
  expect(account.requests).toEqual([]);
  expect(existsSync(join(parent, 'x'.repeat(200), 'memory-read.json'))).toBe(false);
});
