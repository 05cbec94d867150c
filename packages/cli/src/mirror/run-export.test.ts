import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { describe, expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, runCli, startCli, temporaryDirectory } from '../testing/run-cli.ts';
import { audio, serveAccount, summary, transcript } from '../testing/serve-account.ts';
import { spawnCli } from '../testing/spawn-cli.ts';

const video = { video: { object_key: 'mem_1/video.webm', content_type: 'video/webm' } };

/** A command line over an account, in a folder of its own. */
async function commandLine(...records: Partial<MemoryRecord>[]) {
  const account = await serveAccount(...records);
  const cwd = temporaryDirectory();
  const run = async (...args: string[]) => {
    account.requests.length = 0;
    const result = await runCli(args, { env: account.env, cwd });
    const lines = result.stdout.startsWith('{"event') ? jsonLines(result.stdout) : [];
    return { ...result, lines, last: lines.at(-1) ?? {} };
  };
  return {
    account,
    cwd,
    run,
    files: (folder: string) => readdirSync(join(cwd, folder), { recursive: true }).map(String).sort(),
    read: (path: string) => readFileSync(join(cwd, path), 'utf8'),
    /** Inodes, times and sizes of all files but those that a reader of SQLite leaves, which every write would change. */
    traces: () =>
      readdirSync(cwd, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/-(shm|wal)$/.test(entry.name))
        .map(({ parentPath, name }) => {
          const { ino, mtimeNs, size } = lstatSync(join(parentPath, name), { bigint: true });
          return [join(parentPath, name), ino, mtimeNs, size];
        }),
  };
}

const all = ['export', '--all', 'talks', '--format', 'srt,json', '--media'];

test('files of one name sort by day, and a run without changes sends one request and writes nothing', async () => {
  const { account, cwd, run, files, traces } = await commandLine(
    { media: { ...audio, ...video }, transcript, summary },
    { id: 'mem_2', name: 'Evening' },
  );
  const first = await run(...all);
  expect([first.code, first.stderr]).toEqual([0, 'Keeping the mirror in memories.\n']);
  expect(files('talks')).toEqual([
    ...['.memory-read-export', '2026-03-01 Evening ba4e.json', '2026-03-01 Morning 2213.json'],
    ...['2026-03-01 Morning 2213.srt', '2026-03-01 Morning 2213.wav', '2026-03-01 Morning 2213.webm'],
  ]);
  const size = account.media.length;
  expect(first.lines).toContainEqual({
    event: 'saved',
    memoryId: 'mem_1',
    part: 'video',
    path: '2026-03-01 Morning 2213.webm',
    size,
    sha256: expect.stringMatching(/^[\da-f]{64}$/),
    linked: true,
  });
  expect(first.lines).toHaveLength(6);
  const counts = { memories: 2, unchanged: 0, missing: 0, saved: 5, linked: 2, renamed: 0, removed: 0, lacking: 1 };
  const bytes = files('talks')
    .filter((path) => !path.startsWith('.'))
    .reduce((sum, path) => sum + lstatSync(join(cwd, 'talks', path)).size, 0);
  const more = { complete: true, edited: 0, failed: 0, requests: 3, name: '{date} {name} {id}', logPending: false };
  expect(first.last).toEqual({ ...counts, ...more, event: 'exported', bytes, mirror: join(cwd, 'memories') });

  const before = traces();
  const again = await run(...all);
  expect([again.code, again.stderr, account.requests]).toEqual([0, '', ['/v1/memories']]);
  expect(again.lines).toEqual([{ ...first.last, unchanged: 2, saved: 0, bytes: 0, linked: 0, requests: 1 }]);
  expect(traces()).toEqual(before);
});

test('files follow the names of their memories, what their owner edited stays, and a purge removes them', async () => {
  const { account, cwd, run, files, read } = await commandLine(
    { transcript },
    { id: 'mem_2', name: 'Evening', transcript },
  );
  const notes = ['export', '--all', 'notes', '--format', 'text'];
  await run(...notes, '--format', 'json', '--name', '{year}/{name}');
  expect(files('notes').filter((path) => path.endsWith('.txt'))).toEqual(['2026/Evening.txt', '2026/Morning.txt']);
  await account.put({ id: 'mem_2', name: 'Night', transcript });
  const renamed = await run(...notes);
  const move = (from: string, path: string) => ({ event: 'renamed', memoryId: 'mem_2', from, path });
  expect(renamed.lines).toEqual(
    expect.arrayContaining([
      { ...move('2026/Evening.json', '2026/Night.json'), part: 'json' },
      { ...move('2026/Evening.txt', '2026/Night.txt'), part: 'text' },
    ]),
  );
  expect(renamed.last).toMatchObject({ renamed: 2, name: '{year}/{name}' });

  writeFileSync(join(cwd, 'notes/2026/Night.txt'), 'mine');
  const said = transcript.segments.map((segment) => ({ ...segment, text: 'Goodbye.' }));
  await account.put({ id: 'mem_2', name: 'Night', transcript: { segments: said }, duration_seconds: 700 });
  const kept = await run(...notes);
  expect([kept.code, kept.stderr]).toEqual([0, '']);
  const beside = '2026/Night (update 1).txt';
  const file = { memoryId: 'mem_2', part: 'text', path: '2026/Night.txt', reason: 'edited', writtenTo: beside };
  expect(kept.lines).toContainEqual({ event: 'kept', ...file });
  expect(kept.last).toMatchObject({ complete: true, edited: 1, failed: 0 });
  expect([read('notes/2026/Night.txt'), read(`notes/${beside}`)]).toEqual(['mine', 'Speaker 1: Goodbye.\n']);

  expect(await run('purge', 'mem_2')).toMatchObject({ code: 0 });
  expect(files('notes').filter((path) => path.includes('Night'))).toEqual(['2026/Night.txt']);
});

test('a dry run makes nothing, sends one request, and none with --offline', async () => {
  const { account, cwd, run, traces } = await commandLine(
    { media: audio, transcript },
    { id: 'mem_2', name: 'Evening', transcript },
  );
  const wouldSave = (memoryId: string, part: string) => ({ event: 'would_save', memoryId, part });
  const ofOne = [wouldSave('mem_1', 'srt'), wouldSave('mem_1', 'json'), wouldSave('mem_1', 'audio')];
  const dry = await run(...all, '--dry-run');
  expect([dry.code, dry.stderr, account.requests, readdirSync(cwd)]).toEqual([0, '', ['/v1/memories'], []]);
  expect(dry.lines.slice(0, -1)).toEqual(
    expect.arrayContaining([...ofOne, wouldSave('mem_2', 'srt'), wouldSave('mem_2', 'json')]),
  );
  expect(dry.lines.slice(5)).toEqual([{ event: 'exported', dryRun: true, memories: 2, planned: 5 }]);

  await run('export', '--all', 'talks', '--format', 'srt');
  await account.put({ id: 'mem_2', name: 'Night', transcript });
  const before = traces();
  const offline = await run(...all, '--offline', '--dry-run', '--name', '{name}');
  expect([offline.code, account.requests]).toEqual([0, []]);
  expect(offline.lines).toEqual(
    expect.arrayContaining([
      { ...wouldSave('mem_1', 'json'), path: 'Morning.json' },
      {
        event: 'would_rename',
        memoryId: 'mem_2',
        part: 'srt',
        from: '2026-03-01 Evening ba4e.srt',
        path: 'Evening.srt',
      },
      { event: 'exported', dryRun: true, memories: 2, planned: 2 },
    ]),
  );
  const online = await run('download', '--all', 'talks', '--dry-run');
  expect(online.lines).toEqual([
    wouldSave('mem_1', 'audio'),
    expect.objectContaining({ event: 'downloaded', planned: 1 }),
  ]);
  expect(account.requests).toEqual(['/v1/memories']);
  expect(traces()).toEqual(before);
});

describe('a sync that fails', () => {
  const refusal = () => Response.json({ detail: 'Invalid key', code: 'invalid_key' }, { status: 401 });

  test.each([
    ['a refused key', 3, { intercept: refusal }],
    ['an error of the server', 1, { intercept: () => new Response('', { status: 400 }) }],
  ])('of %s has its own exit code, and nothing is written', async (_what, code, changes) => {
    const { account, cwd, run } = await commandLine({ transcript });
    Object.assign(account, changes);
    const failed = await run(...all);
    expect([failed.code, failed.stdout, existsSync(join(cwd, 'talks'))]).toEqual([code, '', false]);
    expect(failed.stderr).toMatch(/^Keeping .*\nFailed to .*\. Pass --offline to export what the mirror has\.\n$/);
  });

  test('leaves what --offline then exports, without a login', async () => {
    const { cwd, run, account, files } = await commandLine({ transcript });
    await run('mirror');
    await account.close();
    expect(await run(...all)).toMatchObject({ code: 1, stdout: '' });
    const env = { MEMORY_API_KEY: '', MEMORY_API_URL: '' };
    const offline = await runCli([...all, '--offline'], { cwd, env });
    expect([offline.code, offline.stderr]).toEqual([0, '']);
    expect(jsonLines(offline.stdout).at(-1)).toMatchObject({ event: 'exported', saved: 2, requests: 0 });
    expect(files('talks')).toHaveLength(3);
  });

  test('for one memory or one of its media leaves the rest, and ends with 1', async () => {
    const { account, run, files } = await commandLine({ media: audio, transcript }, { id: 'mem_2' }, { id: 'mem_3' });
    account.intercept = (path) =>
      path.endsWith('mem_2') || path.endsWith('.wav') ? new Response('', { status: 404 }) : undefined;
    const { code, stderr, lines, last } = await run(...all);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^mem_1 \(audio\): .*\n/m);
    expect(stderr).toMatch(/\nFailed to save 2 files: the reasons are above\. .*\n$/);
    expect(lines.filter(({ event }) => event === 'failed')).toHaveLength(2);
    expect(last).toMatchObject({ complete: false, saved: 3, failed: 2 });
    expect(files('talks')).toHaveLength(4);
  });
});

test.each([
  ['other', 'it is a mirror. Choose a folder outside of it.'],
  ['other/pages', 'it is in a mirror ("{cwd}/other"). Choose a folder outside of it.'],
  ['.', 'a mirror is in it. Choose another folder.'],
  ['talks', 'another mirror writes to it. Choose another folder, or pass --adopt to take it over.'],
])(
  'the folder %s is refused before a request, with a mirror and without one, and nothing changes',
  async (name, says) => {
    const { account, cwd, run, traces } = await commandLine({ transcript });
    await run('mirror', 'other');
    await run(...all, '--mirror', 'first');
    for (const mirror of ['second', 'other']) {
      const before = traces();
      const { code, stdout, stderr } = await run('export', '--all', name, '--format', 'srt', '--mirror', mirror);
      expect([code, stdout, account.requests]).toEqual([2, '', []]);
      expect(stderr).toBe(`Failed to use ${JSON.stringify(name)}: ${says.replace('{cwd}', cwd)}\n`);
      expect(traces()).toEqual(before);
    }
  },
);

test.each([
  ['a transcript that is null', { transcript: null }],
  ['a memory back in processing', { is_processing: true, transcript: { segments: [] } }],
])('%s leaves the words of the files, which are those of a single export from the mirror', async (_what, worse) => {
  const { account, run, files, read } = await commandLine({ transcript, summary });
  const formats = ['srt', 'vtt', 'text', 'markdown', 'json'];
  const every = ['export', '--all', 'talks', '--format', formats.join(), '--name', '{memory_id}'];
  await run(...every);
  const texts = () =>
    files('talks')
      .filter((path) => path.startsWith('mem'))
      .map((path) => read(`talks/${path}`));
  const before = texts();
  expect(before).toHaveLength(5);
  await account.put({ summary, duration_seconds: 700, ...worse });
  expect((await run(...every)).last).toMatchObject({ saved: 0, failed: 0 });
  expect(texts()).toEqual(before);
  const single = formats.map(
    async (format) => (await run('export', 'mem_1', '--format', format, '--mirror', 'memories')).stdout,
  );
  expect((await Promise.all(single)).sort()).toEqual(before.sort());
});

test('whatever the names of memories, their files are in the folder', async () => {
  const names = ['../../escape', '/etc/passwd', '..', 'a\u202egpj.exe', '-rf', '.ssh', 'CON', '', 'x'.repeat(500)];
  const { run, files } = await commandLine(...names.map((name, index) => ({ id: `mem_${index}`, name, media: audio })));
  const { last } = await run('export', '--all', 'talks', '--media', '--format', 'json', '--name', '{name}');
  expect(last).toMatchObject({ complete: true, saved: names.length * 2 });
  expect(files('talks')).toHaveLength(names.length * 2 + 1);
  expect(files('talks').filter((path) => /^[-.]|\//.test(path))).toEqual(['.memory-read-export']);
});

test('prints one line for people, and keeps files of others', async () => {
  const { account, cwd } = await commandLine({ media: audio, transcript }, { id: 'mem_2', name: 'Evening' });
  const onTerminal = (...args: string[]) => runCli(args, { env: account.env, cwd, terminal: { stdout: {} } });
  const stdout = '1 file saved (20 kB; 1 takes no space).\n';
  const stderr = 'Keeping the mirror in memories.\n';
  expect(await onTerminal('download', '--all', 'talks')).toEqual({ code: 0, stdout, stderr });
  writeFileSync(join(cwd, 'talks/2026-03-01 Evening ba4e.json'), 'mine');
  expect(await onTerminal(...all)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^3 files saved \(\d+ B\), 1 kept\.\n$/),
    stderr:
      'Kept 2026-03-01 Evening ba4e.json, which memory-read did not write. The new version is 2026-03-01 Evening ba4e (update 1).json.\n',
  });
  expect((await onTerminal(...all, '--dry-run')).stdout).toBe('2 memories. A run without --dry-run saves 0 files.\n');
});

test('takes its own range, kinds and time zone, and copies of media', async () => {
  const november = { started_at: '2026-11-02T20:00:00Z', ended_at: '2026-11-02T20:10:00Z' };
  const { account, cwd, run, files } = await commandLine(
    { media: { ...audio, ...video } },
    { id: 'mem_2', media: audio, ...november },
  );
  const zone = ['--time-zone', 'asia/tokyo'];
  const some = await run('export', '--all', 'talks', '--kind', 'audio', '--copy', '--since', '2026-11', ...zone);
  expect(some.last).toMatchObject({ memories: 1, saved: 1, linked: 0 });
  expect(files('talks')).toEqual(['.memory-read-export', '2026-11-03 Morning ba4e.wav']);
  expect(lstatSync(join(cwd, 'talks/2026-11-03 Morning ba4e.wav')).nlink).toBe(1);
  expect(account.requests).not.toContain('/v1/memories/mem_1');
  expect((await run('download', '--all', 'talks', '--kind', 'audio')).last).toMatchObject({ saved: 1, renamed: 0 });
});

test('an interruption ends the run with 130', async () => {
  const { account, cwd } = await commandLine({ transcript }, { id: 'mem_2', transcript });
  const running = startCli(all, { env: account.env, cwd });
  account.intercept = (path) => {
    if (path.endsWith('mem_1')) running.interrupt('SIGINT');
    return undefined;
  };
  expect(await running.result).toMatchObject({ code: 130, stdout: '' });
});

test('get and export read one memory of a mirror without a server', async () => {
  const { cwd, run } = await commandLine({ transcript });
  await run('mirror');
  const read = (...args: string[]) => runCli([...args, '--mirror', 'memories'], { cwd, env: { MEMORY_API_KEY: '' } });
  expect(JSON.parse((await read('get', 'mem_1')).stdout)).toMatchObject({ id: 'mem_1', audio_url: null });
  expect((await read('export', 'mem_1', '--format', 'text')).stdout).toBe('Speaker 1: Shall we start?\n');
  const none = 'Failed to get memory "none": the mirror has no memory with this id, or it was purged. Check the id.\n';
  await expectFailure(read('get', 'none'), 4, none);
  await expectFailure(read('export', 'none', '--format', 'text'), 4, none);
});

test('only the owner reads the mirror, and files follow the umask unless they share its space', async () => {
  const { account, cwd } = await commandLine({ media: audio, transcript });
  const { result } = spawnCli(all, { env: account.env, cwd });
  expect(await result).toMatchObject({ code: 0 });
  const modes = (folder: string) =>
    readdirSync(join(cwd, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, lstatSync(join(parentPath, name)).mode & 0o777] as const);
  for (const [name, mode] of modes('memories')) expect(mode & 0o077, name).toBe(0);
  const open = 0o666 & ~process.umask();
  expect(Object.fromEntries(modes('talks'))).toMatchObject({
    '2026-03-01 Morning 2213.srt': open,
    '2026-03-01 Morning 2213.json': open,
  });
});
