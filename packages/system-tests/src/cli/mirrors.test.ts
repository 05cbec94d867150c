import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { canMount, type Disk, runOnDisk } from '../server/faults/spent-disk.ts';
import { traces } from './archive-traces.ts';
import { killMirrors } from './killed-mirrors.ts';
import { jsonLines, runCommand, runInTerminal, startCommand } from './run-command.ts';
import { recordWithAudio, startMediaAccount } from './start-media-account.ts';

const ctrlC = '\x03';
let parent: string;
let folder: string;
beforeEach(() => {
  parent = makeFolder();
  folder = join(parent, 'memories');
});

const mediaIn = (path: string) =>
  readdirSync(path, { recursive: true }).filter((name) => String(name).endsWith('.wav'));

test('shows the progress on a terminal, ends with 130 on Ctrl+C, and resumes in the next run', async () => {
  const account = await startMediaAccount(3_000_000);
  await account.put(recordWithAudio(1), recordWithAudio(2), recordWithAudio(3));
  // The first recording arrives fast. The others are too slow to finish.
  account.onRequest = (path) => {
    const isFirst = account.requests.filter((each) => each.startsWith('/media/')).length < 2;
    account.pace = path.startsWith('/media/') && isFirst ? 10 : 1_000;
    return undefined;
  };
  const args = ['mirror', folder, '--concurrency', '1'];
  const command = runInTerminal(args, { env: { ...account.env, NO_COLOR: '1' }, columns: 120 });
  await command.until('Mirroring 1 of 3 memories');
  command.type(ctrlC);
  expect(await command.ended).toBe(130);
  expect(command.shown()).toMatch(
    /█░+ +67 % {2}Mirroring 1 of 3 memories, 1 file, [\d.]+ MB, [\d.]+ [kM]B\/s, \d+ (s|min) left/,
  );
  expect(command.shown()).toMatch(/Interrupted by SIGINT\.\n$/);
  expect(mediaIn(folder)).toHaveLength(1);

  account.onRequest = () => undefined;
  account.pace = 0;
  account.requests.length = 0;
  const again = await runCommand(['mirror', folder], { env: account.env });
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(jsonLines(again.stdout).at(-1)).toMatchObject({ complete: true, done: 3, unchanged: 3, mediaSaved: 2 });
  expect(new Set(account.requests.filter((path) => path.startsWith('/media/')))).toHaveProperty('size', 2);
});

test.each([['mirror'], ['download', '--all', '--output']])(
  'on a terminal, `%s` draws its progress at most ten times a second, however many files are saved',
  async (...words) => {
    const account = await startMediaAccount(1_000);
    await account.put(...Array.from({ length: 60 }, (_, index) => recordWithAudio(index)));
    const startedAt = performance.now();
    const command = runInTerminal([...words, folder], { env: account.env });
    expect(await command.ended).toBe(0);
    const tenths = (performance.now() - startedAt) / 100;
    expect(mediaIn(folder)).toHaveLength(60);
    const drawn = command.shown().split('\r\x1b[K').length - 1;
    expect(drawn).toBeGreaterThan(1);
    expect(drawn).toBeLessThan(tenths + 5);
  },
);

test('on a terminal, prints a summary, then what a search finds, the history and the purge', async () => {
  const account = await startMediaAccount(1_000);
  await account.put(recordWithAudio(1, { name: 'Plan\u001b[2J', transcript: sampleMemory().transcript }));
  const env = { ...account.env, NO_COLOR: '1', TZ: 'Asia/Tokyo' };
  const run = async (...args: string[]) => {
    const command = runInTerminal(args, { env });
    expect(await command.ended).toBe(0);
    return stripVTControlCharacters(command.shown()).replace(/^.*\r/s, '');
  };
  expect(await run('mirror', folder)).toMatch(
    /1 of 1 memory done: 2 files saved \([\d.]+ kB of media\), 0 unchanged\.\n$/,
  );
  const found = await run('search', 'plan', '--mirror', folder);
  expect(found).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}Plan\\u001b\[2J {2}mem_1\n$/);
  const [said = ''] = jsonLines((await runCommand(['search', 'good', '--mirror', folder])).stdout).flatMap(
    ({ matches }) => matches.map(({ text }: { text: string }) => text),
  );
  expect(await run('search', 'good', '--mirror', folder)).toContain(said);
  expect(await run('search', 'submarine', '--mirror', folder)).toBe(
    'No name, summary, takeaway or turn has all these words.\n',
  );
  expect(await run('search', 'submarine', '--until', '2021', '--mirror', folder)).toBe(
    'No name, summary, takeaway or turn has all these words. Without --since, --until and --last, all memories are searched.\n',
  );
  expect(await run('search', 'planning weekly', '--mirror', folder)).toMatch(
    /all these words\. Leave out the quotes to find words that do not follow each other\.\n$/,
  );
  expect(await run('history', 'mem_1', '--mirror', folder)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}1 {2}added\n$/);
  const [page = ''] = readdirSync(join(folder, 'pages'));
  writeFileSync(join(folder, 'pages', page), 'mine');
  expect(await run('purge', 'mem_1', '--mirror', folder)).toContain('which you edited');
  expect(readdirSync(join(folder, 'pages'))).toEqual([page]);
});

test('Ctrl+C without a terminal ends a mirror with 130', async () => {
  const account = await startMediaAccount(3_000_000);
  await account.put(recordWithAudio(1));
  account.pace = 1_000;
  const child = startCommand(['mirror', folder], { env: account.env });
  child.stdout.once('data', () => child.kill('SIGINT'));
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(mediaIn(folder)).toEqual([]);
  account.pace = 0;
  expect(await runCommand(['mirror', folder], { env: account.env })).toMatchObject({ code: 0 });
  expect(mediaIn(folder)).toHaveLength(1);
});

test('saves the whole account in the end when mirrors are killed at random points', () =>
  killMirrors(runCounts.killedMirrors.short));

test('ends a second parallel run with a message, but allows readers, and a run after a killed one', async () => {
  const account = await startMediaAccount(3_000_000);
  await account.put(recordWithAudio(1));
  account.pace = 1_000;
  const first = startCommand(['mirror', folder], { env: account.env });
  await once(first.stdout, 'data');
  const busy = {
    code: 1,
    stdout: '',
    stderr: `Failed to use ${JSON.stringify(folder)}: another memory-read is using it. Wait until it has finished, then run the command again.\n`,
  };
  expect(await runCommand(['mirror', folder], { env: account.env })).toEqual(busy);
  expect(await runCommand(['purge', 'mem_1', '--mirror', folder])).toEqual(busy);
  expect(jsonLines((await runCommand(['history', 'mem_1', '--mirror', folder])).stdout)).toHaveLength(1);
  first.kill('SIGKILL');
  await once(first, 'exit');
  account.pace = 0;
  expect(await runCommand(['mirror', folder], { env: account.env })).toMatchObject({ code: 0, stderr: '' });
});

test.runIf(canMount).each<[Disk, string]>([
  ['small', 'the disk is full. Free some space, then run the command again to resume.'],
  ['full', 'the disk is full. Free some space, then run the command again to resume.'],
  ['read-only', 'the disk is read-only. Choose another folder.'],
])(
  'a mirror on a disk that is %s ends with 1 and one line, and the next run saves everything',
  async (disk, reason) => {
    const account = await startMediaAccount(200_000);
    await account.put(...[1, 2, 3, 4].map((number) => recordWithAudio(number)));
    mkdirSync(folder);
    const keyFile = join(parent, 'key');
    writeFileSync(keyFile, account.env.MEMORY_API_KEY ?? '', { mode: 0o600 });
    writeFileSync(join(folder, 'mine'), 'mine');
    const connection = ['--base-url', account.env.MEMORY_API_URL ?? '', '--api-key', `file:${keyFile}`];
    const { code, stderr } = await runOnDisk(disk, folder, {
      args: ['mirror', '.', '--concurrency', '1', ...connection],
    });
    expect(stderr).toMatch(/^Failed to [^\n]*\n$/);
    expect(stderr).toContain(`: ${reason}\n`);
    expect(code).toBe(1);
    for (const name of mediaIn(folder)) expect(statSync(join(folder, String(name))).size).toBe(200_000);
    expect(await runCommand(['mirror', folder], { env: account.env })).toMatchObject({ code: 0, stderr: '' });
    expect(mediaIn(folder)).toHaveLength(4);
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine');
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
    const { code, stdout, stderr } = await runCommand(['mirror', path], { env: account.env });
    expect(stderr).toMatch(/^Failed to [^\n]*"[^\n]*\n$/);
    expect(stderr).toMatch(reason);
    expect([code, stdout]).toEqual([1, '']);
  }
  expect(account.requests).toEqual([]);
  expect(existsSync(join(parent, 'x'.repeat(200), 'mirror.sqlite'))).toBe(false);
});

test('a rejected key ends with 3 and leaves the mirror as it is', async () => {
  const account = await startMediaAccount(1_000);
  await account.put(recordWithAudio(1));
  await runCommand(['mirror', folder], { env: account.env });
  const before = traces(folder).slice(1);
  const env = { ...account.env, MEMORY_API_KEY: 'mrk_hush' };
  const { code, stdout, stderr } = await runCommand(['mirror', folder], { env });
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(/^Failed to [^\n]*\n$/);
  expect(stderr).not.toContain('hush');
  expect(traces(folder).slice(1)).toEqual(before);
});
