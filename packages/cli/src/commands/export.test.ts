import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audio, transcript } from '../testing/create-account.ts';
import { jsonLines } from '../testing/json-lines.ts';
import { type CliResult, runCli, startServe, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

interface Demo {
  env: Record<string, string>;
  memories: { id: string; is_processing: boolean }[];
}

async function startDemo(): Promise<Demo> {
  const { env, baseUrl, apiKey } = await startServe(['--demo', '--in-memory']);
  const listed = await fetch(`${baseUrl}/v1/memories`, { headers: { authorization: `Bearer ${apiKey}` } });
  return { env, memories: (await listed.json()) as Demo['memories'] };
}

test('writes one memory to standard output, or to a file without overwriting it', async () => {
  const { env, memories } = await startDemo();
  const { id = '' } = memories.find(({ is_processing }) => !is_processing) ?? {};
  const vtt = await runCli(['export', id, '--format', 'vtt'], { env });
  expect(vtt).toEqual({ code: 0, stdout: expect.stringMatching(/^WEBVTT\n\n00:/), stderr: '' });
  const path = join(temporaryDirectory(), 'notes.vtt');
  const toFile = () => runCli(['export', id, '--format', 'vtt', '--output', path], { env });
  for (const _ of [1, 2]) expect(await toFile()).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(path, 'utf8')).toBe(vtt.stdout);
  const folder = join(temporaryDirectory(), 'new');
  expect(await runCli(['export', id, '--format', 'vtt', '--output', `${folder}/`], { env })).toMatchObject({ code: 0 });
  const [name = '', ...others] = readdirSync(folder);
  expect([name, others]).toEqual([expect.stringMatching(/ [\da-f]{8}\.vtt$/), []]);
  expect(readFileSync(join(folder, name), 'utf8')).toBe(vtt.stdout);
  writeFileSync(path, 'my notes');
  expect(await toFile()).toEqual({
    code: 1,
    stdout: '',
    stderr: `Failed to save "${path}": the file exists with other content. Remove it, or pass another path.\n`,
  });
  expect(readFileSync(path, 'utf8')).toBe('my notes');
});

test('fails for a missing transcript instead of writing an empty file', async () => {
  const { env, memories } = await startDemo();
  const { id = '' } = memories.find(({ is_processing }) => is_processing) ?? {};
  const { code, stdout, stderr } = await runCli(['export', id, '--format', 'srt'], { env });
  expect(stderr).toBe(
    `Failed to export ${JSON.stringify(id)} as srt: it has no transcript yet. Run memory-read wait ${id} first.\n`,
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(await runCli(['export', id, '--format', 'json'], { env })).toMatchObject({ code: 0 });
  expect(await runCli(['export', 'mem_none', '--format', 'json'], { env })).toMatchObject({ code: 4, stdout: '' });
});

test('a dry run sends one request and writes nothing', async () => {
  const account = await serveAccount({ media: audio, transcript }, { id: 'mem_2', name: 'Evening', transcript });
  const parent = temporaryDirectory();
  const run = async (...args: string[]) => {
    account.requests.length = 0;
    const { code, stdout, stderr } = await runCli(args, { env: account.env, cwd: parent });
    expect([code, stderr]).toEqual([0, '']);
    return jsonLines(stdout);
  };
  const exportAll = ['export', '--all', 'texts', '--format', 'text'];
  const downloadAll = ['download', '--all', '--output', 'media'];
  const dry = { dryRun: true, memories: 2, unchanged: 0, failed: 0 };
  const wouldSave = (memoryId: string, part: string) => ({ event: 'would_save', memoryId, part });
  expect(await run(...exportAll, '--dry-run')).toEqual([
    wouldSave('mem_2', 'text'),
    wouldSave('mem_1', 'text'),
    { ...dry, event: 'exported', planned: 2 },
  ]);
  expect(account.requests).toEqual(['/v1/memories']);
  expect(await run(...downloadAll, '--dry-run')).toEqual([
    wouldSave('mem_1', 'audio'),
    { ...dry, event: 'downloaded', planned: 1, unchanged: 1 },
  ]);
  expect(account.requests).toEqual(['/v1/memories']);
  expect(readdirSync(parent)).toEqual([]);

  await run(...exportAll);
  await account.put({ id: 'mem_2', name: 'Night', transcript });
  const traces = () =>
    readdirSync(parent, { recursive: true }).map((each) => {
      const { ino, mtimeNs, ctimeNs, size } = statSync(join(parent, String(each)), { bigint: true });
      return [each, ino, mtimeNs, ctimeNs, size];
    });
  const before = traces();
  expect(await run(...exportAll, '--dry-run')).toEqual([
    wouldSave('mem_2', 'text'),
    { ...dry, event: 'exported', planned: 1, unchanged: 1 },
  ]);
  expect(traces()).toEqual(before);
});

test('a dry run refuses the folder of another server, and a file in place of the folder', async () => {
  const account = await serveAccount({ media: audio, transcript });
  const other = await serveAccount({ transcript });
  const parent = temporaryDirectory();
  const run = (env: Record<string, string>, folder: string) =>
    runCli(['export', '--all', folder, '--format', 'text', '--dry-run'], { env, cwd: parent });
  expect(await runCli(['export', '--all', 'texts', '--format', 'text'], { env: other.env, cwd: parent })).toMatchObject(
    {
      code: 0,
    },
  );
  expect(await run(account.env, 'texts')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('memories of another server'),
  });
  writeFileSync(join(parent, 'notes'), '');
  expect(await run(account.env, 'notes')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Failed to use "notes": it is not a folder. Choose a folder.\n',
  });
});

test('saves all memories in a folder, and ends with 1 if one of them fails', async () => {
  const { env } = await startDemo();
  const folder = join(temporaryDirectory(), 'texts');
  const run = () => runCli(['export', '--all', folder, '--format', 'text'], { env });
  expect(lastLine(await run())).toMatchObject({ event: 'exported', memories: 24, failed: 0 });
  const [name = '', ...others] = readdirSync(folder).filter((each) => each.endsWith('.txt'));
  expect(others.length).toBeGreaterThan(15);
  expect(lastLine(await run())).toMatchObject({ unchanged: 24, saved: 0 });
  const manifest = join(folder, 'memory-read.json');
  const content = JSON.parse(readFileSync(manifest, 'utf8'));
  // Simulates a file that another version of the command has written.
  const memory = content.memories.find(
    ({ files }: { files: { text?: { path: string } } }) => files.text?.path === name,
  );
  Object.assign(memory, { seen: {}, files: { text: { ...memory.files.text, sha256: 'old' } } });
  writeFileSync(manifest, JSON.stringify(content));
  writeFileSync(join(folder, name), 'mine');
  const failed = await run();
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^mem_\w+ \(text\): Failed to replace .*\nFailed to save 1 file: .*\n$/);
  expect(lastLine(failed)).toMatchObject({ failed: 1, saved: 0 });
});

test.each([
  [['--all', '', '--format', 'srt'], 'the folder: the value is empty. Pass a value, or leave out the option.'],
  [
    ['mem_1', '--format', 'srt', '--format', 'vtt'],
    '--format: it was passed twice. Run the command once for each format.',
  ],
  [
    ['--all', 'folder', '--format', 'srt', '--output', 'x'],
    '--output: with --all, the folder is the argument. Leave it out.',
  ],
  [
    ['mem_1', '--format', 'srt', '--concurrency', '0'],
    '--concurrency: "0" is not a whole number from 1 to 64. Pass one such as 4.',
  ],
])('rejects `export %s` as incorrect usage', async (args, problem) => {
  const { code, stderr } = await runCli(['export', ...args]);
  expect([code, stderr]).toEqual([2, `Failed to read ${problem}\n`]);
});

test.each([
  [['--format', 'vtt'], 'a memory id is needed. Pass one, or run memory-read export --all FOLDER --format vtt.'],
  [['--format', 'vtt', '--all'], '--all needs a folder. Run memory-read export --all FOLDER --format vtt.'],
])('`export %s` names the argument that is missing', async (args, problem) => {
  const { code, stderr } = await runCli(['export', ...args]);
  expect([code, stderr]).toEqual([2, `Failed to export: ${problem}\n`]);
});

function lastLine({ stdout }: CliResult): unknown {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}
