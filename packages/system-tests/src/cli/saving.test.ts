import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMirror } from '@memory-read/mirror';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { canMount, type Disk, runOnDisk } from '../server/faults/spent-disk.ts';
import { jsonLines, runCommand, runInTerminal, startCommand } from './run-command.ts';
import { type MediaAccount, mediaOf, recordWithAudio, startMediaAccount } from './start-media-account.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = makeFolder();
  folder = join(parent, 'memories');
});

test('a mirror shows its progress on a terminal, ends with 130 on Ctrl+C, and resumes in the next run', async () => {
  const account = await startMediaAccount(3_000_000);
  await account.put(recordWithAudio(1), recordWithAudio(2), recordWithAudio(3));
  // The first recording arrives fast. The others are too slow to finish.
  account.onRequest = (path) => {
    account.pace = path.startsWith('/media/') && mediaRequests(account).length < 2 ? 10 : 1_000;
    return undefined;
  };
  const args = ['mirror', folder, '--concurrency', '1'];
  const running = runInTerminal(args, { env: { ...account.env, NO_COLOR: '1' }, columns: 120 });
  await running.until('1 of 3 memories');
  running.type('\x03');
  expect(await running.ended).toBe(130);
  expect(running.shown()).toMatch(
    /█░+ +67 % {2}Mirroring 1 of 3 memories, 1 file, [\d.]+ MB, [\d.]+ [kM]B\/s, \d+ (s|min) left/,
  );
  expect(running.shown()).toMatch(/Interrupted by SIGINT\.\n$/);
  expect(mediaIn(folder)).toHaveLength(1);

  account.onRequest = () => undefined;
  account.pace = 0;
  account.requests.length = 0;
  const again = await runCommand(args, { env: account.env });
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(jsonLines(again.stdout).at(-1)).toMatchObject({ complete: true, memories: 3, failed: 0 });
  expect(new Set(mediaRequests(account)).size).toBe(2);
  for (const number of [1, 2, 3]) {
    const bytes = mediaOf(`mem_${number}`, 3_000_000);
    expect(mediaIn(folder).filter((path) => readFileSync(path).equals(bytes))).toHaveLength(1);
  }
});

test('a second run in parallel ends with a message, but not one after a killed run', async () => {
  const account = await startMediaAccount(3_000_000);
  await account.put(recordWithAudio(1));
  account.pace = 1_000;
  const isLoading = new Promise<void>((resolve) => {
    account.onMedia = (response) => {
      resolve();
      return response;
    };
  });
  const args = ['mirror', folder];
  const first = startCommand(args, { env: account.env });
  await isLoading;
  const busy = `Failed to use ${JSON.stringify(folder)}: another memory-read is using it. Wait until it has finished, then run the command again.\n`;
  expect(await runCommand(args, { env: account.env })).toEqual({ code: 1, stdout: '', stderr: busy });
  expect(await runCommand(['purge', 'mem_1', '--mirror', folder])).toEqual({ code: 1, stdout: '', stderr: busy });
  expect(jsonLines((await runCommand(['history', 'mem_1', '--mirror', folder])).stdout)).toHaveLength(1);
  first.kill('SIGKILL');
  await once(first, 'exit');
  account.pace = 0;
  expect(await runCommand(args, { env: account.env })).toMatchObject({ code: 0, stderr: '' });
});

const full = 'the disk is full. Free some space, then run the command again to resume.';

test.runIf(canMount).each<[string, Disk, string]>([
  ['mirror', 'small', full],
  ['mirror', 'full', full],
  ['mirror', 'read-only', 'the disk is read-only. Choose another folder.'],
  ['download --all', 'small', full],
])(
  '`%s` on a disk that is %s ends with 1 and one line, and the next run saves everything',
  async (name, disk, reason) => {
    const account = await startMediaAccount(200_000);
    await account.put(...[1, 2, 3, 4].map((number) => recordWithAudio(number)));
    const toFolder = (path: string) => [
      ...name.split(' '),
      path,
      ...(name === 'mirror' ? [] : ['--mirror', join(parent, 'mirror')]),
    ];
    const { code, stderr } = await runOnOwnDisk(disk, account, [...toFolder('.'), '--concurrency', '1']);
    expect(stderr).toMatch(/^(Keeping [^\n]*\n)?Failed to [^\n]*\n$/);
    expect(stderr).toContain(`: ${reason}\n`);
    expect(code).toBe(1);
    for (const path of mediaIn(folder)) expect(readFileSync(path)).toHaveLength(200_000);
    expect(await runCommand(toFolder(folder), { env: account.env })).toMatchObject({ code: 0 });
    expect(mediaIn(folder)).toHaveLength(4);
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine');
  },
);

test.runIf(canMount)('a mirror whose texts fill the disk keeps complete memories, and completes later', async () => {
  const account = await startMediaAccount(0);
  const ids = Array.from({ length: 12 }, (_item, index) => `mem_${index}`);
  const segments = (id: string) =>
    Array.from({ length: 30 }, (_item, segment) => {
      // Words that occur once each, so that the index grows too.
      const text = Array.from({ length: 40 }, (_word, word) => `${id}x${segment}x${word}`).join(' ');
      return { speaker: 'Ada', start_at: '2026-03-01T09:00:00Z', end_at: '2026-03-01T09:00:00Z', text };
    });
  await account.put(...ids.map((id) => sampleRecord({ id, transcript: { segments: segments(id) } })));
  const { code, stderr } = await runOnOwnDisk('small', account, ['mirror', '.', '--no-pages']);
  expect([code, stderr]).toEqual([1, expect.stringContaining(': the disk is full. Free some space, then run')]);

  const read = async () => {
    const mirror = await openMirror({ folder, readOnly: true });
    const { memories } = await mirror.listMemories();
    for (const { memory } of memories) {
      const kept = await mirror.getMemory(memory.id);
      expect(kept?.memory.transcript?.segments).toHaveLength(30);
      expect((await mirror.search(`${memory.id}x29x39`)).hits).toHaveLength(1);
    }
    await mirror.close();
    return memories.length;
  };
  const kept = await read();
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(12);
  const { stdout } = await runCommand(['mirror', folder], { env: account.env });
  expect(jsonLines(stdout).at(-1)).toMatchObject({ complete: true, added: 12 - kept, unchanged: kept });
  expect(await read()).toBe(12);
});

/** Runs a command in the folder, with a file of its owner, on such a disk. */
function runOnOwnDisk(disk: Disk, { env }: MediaAccount, args: readonly string[]) {
  mkdirSync(folder);
  writeFileSync(join(parent, 'key'), env.MEMORY_API_KEY, { mode: 0o600 });
  writeFileSync(join(folder, 'mine'), 'mine');
  const connection = ['--base-url', env.MEMORY_API_URL, '--api-key', `file:${join(parent, 'key')}`];
  return runOnDisk(disk, folder, { args: [...args, ...connection] });
}

function mediaIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('.wav')).map((name) => join(path, name));
}

function mediaRequests({ requests }: { requests: string[] }): string[] {
  return requests.filter((path) => path.startsWith('/media/'));
}
